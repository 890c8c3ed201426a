// ---- copying ----

let offered = null; // the block under the copy button
const copier = make("button", "", "copy");

// source is the text of a block together with the part of it that is folded below.
function source(pre) {
	const inside = (el) => el && (el.matches("pre") ? el : one("pre:not(.gut)", el));
	const block = pre.closest(".src") || pre, above = block.parentElement.closest(".more")?.previousElementSibling;
	const head = inside(above) ? above : block, rest = head.nextElementSibling;
	return [inside(head), rest?.matches(".more") && inside(rest)].filter(Boolean).map((el) => el.textContent.replace(/\n$/, "")).join("\n");
}

// Outside of secure contexts, as on a plain http host, there is only the old command.
async function copy(text) {
	if (navigator.clipboard) return navigator.clipboard.writeText(text);
	const area = make("textarea", text, "vh");
	doc.body.append(area);
	area.select();
	doc.execCommand("copy");
	area.remove();
}

function copyOffered() {
	if (offered) copy(source(offered)).then(() => { copier.textContent = "Copied"; }, () => {});
}

// One button for all blocks, on the corner of the one under the pointer or in focus.
function offer(e) {
	const pre = e.target.closest?.("pre:not(.gut)") || null;
	if (e.target === copier || pre === offered) return;
	offered = pre;
	if (!pre) return copier.remove();
	copier.textContent = "Copy";
	doc.body.append(copier);
	copier.style.top = `${top(pre) + scrollY + 6}px`;
	copier.style.left = `${pre.getBoundingClientRect().right - copier.offsetWidth - 8}px`;
}
