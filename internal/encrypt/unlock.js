// What the page does that holds only ciphertext: internal/encrypt/cipher.go writes what this reads.
(() => {
"use strict";
const byID = (id) => document.getElementById(id);
const form = document.querySelector("form"), button = document.querySelector("button");
const password = byID("password"), show = byID("show"), status = byID("status"), problem = byID("problem");
const HEAD = 33, SALT = 5, NONCE = 21; // version, rounds, salt, nonce

const bytes = () => Uint8Array.from(atob(byID("ciphertext").textContent), (c) => c.charCodeAt(0));

async function decrypt(data, text) {
	const head = data.subarray(0, HEAD);
	const material = await crypto.subtle.importKey("raw", new TextEncoder().encode(text.normalize("NFC")), "PBKDF2", false, ["deriveKey"]);
	const key = await crypto.subtle.deriveKey(
		{ name: "PBKDF2", hash: "SHA-256", salt: head.subarray(SALT, NONCE), iterations: new DataView(head.buffer).getUint32(1) },
		material, { name: "AES-GCM", length: 256 }, false, ["decrypt"]);
	return crypto.subtle.decrypt({ name: "AES-GCM", iv: head.subarray(NONCE), additionalData: head }, key, data.subarray(HEAD));
}

async function unpack(plain) {
	const packed = new Uint8Array(plain, 4, new DataView(plain).getUint32(0));
	return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

function failed(text) {
	status.textContent = "";
	problem.textContent = text;
	button.removeAttribute("aria-disabled");
}

async function open() {
	if (button.hasAttribute("aria-disabled")) return; // it is at work
	button.setAttribute("aria-disabled", "true");
	password.removeAttribute("aria-invalid");
	problem.textContent = "";
	status.textContent = "Decrypting\u2026";
	let plain, page;
	try {
		plain = await decrypt(bytes(), password.value);
	} catch (e) {
		if (e.name !== "OperationError") return failed("This page cannot be decrypted: " + e.message);
		failed("The password is wrong, or the file was changed.");
		password.setAttribute("aria-invalid", "true");
		password.focus();
		return password.select();
	}
	try {
		page = await unpack(plain);
	} catch (e) {
		return failed("This page cannot be unpacked: " + e.message);
	}
	// The document stays this one, and so does its policy: what the page may not run, it may not run here.
	document.open();
	document.write(page);
	document.close();
}

if (!globalThis.crypto?.subtle || !globalThis.DecompressionStream) {
	return failed(globalThis.isSecureContext === false
		? "Browsers decrypt only what came over https or is on disk. Save this page, and open the file."
		: "This browser is too old to decrypt this page.");
}
form.addEventListener("submit", (e) => { e.preventDefault(); open(); });
show.addEventListener("change", () => { password.type = show.checked ? "text" : "password"; });
form.hidden = false;
password.focus();
})();
