/** The completion scripts of shells. They ask the program itself, so that they never need an update. */

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The hidden command that prints candidates, one a line. */
export const COMPLETE_COMMAND = '__complete';

const scripts: Readonly<Record<Shell, string>> = {
  bash: `# Load it with: source <(smart-objects completion bash)
_smart_objects() {
  local rest=\${COMP_LINE} i n=-1 word prefix candidate words=()
  # Bash splits words at =, <, > and : too.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    if ((i == 0)) || [[ \${rest} == [[:blank:]]* ]]; then words[++n]=''; fi
    words[n]+=\${COMP_WORDS[i]}
    rest=\${rest#*"\${COMP_WORDS[i]}"}
  done
  word=\${words[n]}
  words[n]=\${word//[\\\\\\"\\']/}
  prefix=\${words[n]%"\${words[n]##*[=<>:]}"}
  COMPREPLY=()
  while IFS= read -r candidate; do
    # Nothing is split or escaped after an open quote.
    if [[ \${word} != [\\"\\']* ]]; then
      [[ \${candidate} == "\${prefix}" ]] && continue
      printf -v candidate %q "\${candidate#"\${prefix}"}"
    fi
    COMPREPLY+=("\${candidate}")
  done < <(smart-objects ${COMPLETE_COMMAND} -- "\${words[@]:1}" 2>/dev/null)
  # Filters go on after their operator.
  [[ \${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _smart_objects smart-objects
`,
  zsh: `#compdef smart-objects
# Load it with: source <(smart-objects completion zsh)
_smart_objects() {
  local -a candidates
  candidates=("\${(@f)$(smart-objects ${COMPLETE_COMMAND} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z "\${candidates[1]}" ]]; then
    _files
  elif [[ "\${candidates[1]}" == *= ]]; then
    compadd -S '' -- "\${candidates[@]}"
  else
    compadd -- "\${candidates[@]}"
  fi
}
# Called if this is a file of fpath, else loaded with source.
if [[ "\${funcstack[1]}" == _smart_objects ]]; then _smart_objects; else compdef _smart_objects smart-objects; fi
`,
  fish: `# Load it with: smart-objects completion fish | source
function __smart_objects
  set -l words (commandline -opc) (commandline -ct)
  set -l candidates (smart-objects ${COMPLETE_COMMAND} -- $words[2..-1] 2>/dev/null)
  if test (count $candidates) -eq 0
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $candidates
  end
end
complete -c smart-objects -f -a '(__smart_objects)'
`,
};

/** The script that completes `smart-objects` in a shell. */
export function getCompletionScript(shell: Shell): string {
  return scripts[shell];
}
