/**
 * The first script of a face that may run scripts. It posts console messages and policy violations to the parent page, and
 * closes ways to connect that no content security policy can: WebRTC, and nested frames, where WebRTC would be available
 * again. All text that becomes markup passes a trusted types policy; `document.write` is blocked, because it could pass markup
 * in parts. Elements that connect by themselves are created under other names.
 *
 * It is no boundary: a script can still navigate its own frame (`location`, a link, a refresh), for which the browser looks up
 * or connects to a host before the policy of the page blocks the request. docs/faces.md says so to users.
 */

import { MAX_REPORT_LENGTH, MAX_REPORTS, REPORT_MARKER } from '../../webviews/protocol/faces.ts';

/** The source of the script, in one line. */
export const CONSOLE_SCRIPT = `(()=>{
for(const name of ['RTCPeerConnection','webkitRTCPeerConnection','WebTransport','XSLTProcessor'])Object.defineProperty(self,name,{value:undefined});
Object.freeze(RegExp.prototype);
const {apply}=Reflect,text=String,connecting=/^(?:[^:]*:)?(?:link|base|meta|i?frame|object|embed|applet|portal|fencedframe)$/i;
for(const [name,at] of [['createElement',0],['createElementNS',1]]){const create=Document.prototype[name];Object.defineProperty(Document.prototype,name,{value(...args){args[at]=text(args[at]);if(connecting.test(args[at]))args[at]='x-element';return apply(create,this,args)}})}
self.trustedTypes?.createPolicy('default',{createHTML:(text,_,sink)=>/srcdoc|write/.test(sink??'write')||/<!ENTITY|<[^>\\s]*?(i?frame|link|object|embed|applet|portal|(base|meta)(?![a-z]))/i.test(text)?null:text,createScript:(text,_,sink)=>/^(Element|HTMLScript)/.test(sink??'')?text:null});
let remaining=${String(MAX_REPORTS)};const post=parent.postMessage.bind(parent);
const send=(level,text)=>{if(remaining-->0)try{post({${JSON.stringify(REPORT_MARKER)}:1,level,text:String(text).slice(0,${String(MAX_REPORT_LENGTH)})},'*')}catch{}};
const show=(v)=>{try{return typeof v==='string'?v:v instanceof Error?String(v):JSON.stringify(v)??String(v)}catch{return Object.prototype.toString.call(v)}};
for(const level of ['log','info','warn','error','debug']){const original=console[level];console[level]=(...args)=>{send(level,args.map(show).join(' '));original.apply(console,args)}}
addEventListener('error',(e)=>send('error',e.message+(e.lineno?' (line '+e.lineno+')':'')));
addEventListener('unhandledrejection',(e)=>send('error','Unhandled rejection: '+show(e.reason)));
addEventListener('securitypolicyviolation',(e)=>send('violation',e.effectiveDirective+' blocked '+e.blockedURI+(e.lineNumber?' (line '+e.lineNumber+')':'')));
document.currentScript?.remove()})()`.replaceAll('\n', '');
