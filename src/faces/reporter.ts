/**
 * The script that goes first into a face that may run scripts (pure). It posts console lines and violations to the page around,
 * and closes what no policy does: WebRTC, and frames within, which would have it anew. Every text that is to become markup passes
 * the one policy of trusted types; `document.write` could pass in halves, so it may not.
 */

/** Marks the reporter's messages. No proof of anything: the face can write it too, so the reader checks and bounds each. */
export const REPORT = 'smartObjects.faceReport';
export const MOST_REPORTS = 200;
export const LONGEST_REPORT = 2000;

export const reporter = `(()=>{
for(const name of ['RTCPeerConnection','webkitRTCPeerConnection','WebTransport','XSLTProcessor'])Object.defineProperty(self,name,{value:undefined});
Object.freeze(RegExp.prototype);
self.trustedTypes?.createPolicy('default',{createHTML:(text,_,sink)=>/srcdoc|write/.test(sink??'write')||/<[^>\\s]*?(i?frame|link|object|embed|applet|portal|(base|meta)(?![a-z]))/i.test(text)?null:text,createScript:(text,_,sink)=>/^(Element|HTMLScript)/.test(sink??'')?text:null});
let left=${String(MOST_REPORTS)};const post=parent.postMessage.bind(parent);
const send=(level,text)=>{if(left-->0)try{post({${JSON.stringify(REPORT)}:1,level,text:String(text).slice(0,${String(LONGEST_REPORT)})},'*')}catch{}};
const show=(v)=>{try{return typeof v==='string'?v:v instanceof Error?String(v):JSON.stringify(v)??String(v)}catch{return Object.prototype.toString.call(v)}};
for(const level of ['log','info','warn','error','debug']){const own=console[level];console[level]=(...words)=>{send(level,words.map(show).join(' '));own.apply(console,words)}}
addEventListener('error',(e)=>send('error',e.message+(e.lineno?' (line '+e.lineno+')':'')));
addEventListener('unhandledrejection',(e)=>send('error','Unhandled rejection: '+show(e.reason)));
addEventListener('securitypolicyviolation',(e)=>send('violation',e.effectiveDirective+' blocked '+e.blockedURI+(e.lineNumber?' (line '+e.lineNumber+')':'')));
document.currentScript?.remove()})()`.replaceAll('\n', '');
