// Transcripts of the report: filter, list, open. Every text of an agent or a world enters the page as textContent.
"use strict";
(() => {
  const PAGE = 200; // rows added to the list at a time: keeps thousands of episodes quick
  const CLIP = 20000; // characters of one text shown before "show all"
  const MARKS = { human: "\u25cf", agent_by_default: "\u25b2", agent_by_choice: "\u25a0", both_lose: "\u2716" };
  const TITLES = {
    human: "human", agent_by_default: "by default", agent_by_choice: "by choice", both_lose: "both lose",
    cut_off: "cut off", context_overflow: "context overflow", provider_error: "provider error",
    env_error: "environment error", sandbox_error: "sandbox error",
  };
  const EVENTS = {
    rejected: "rejected, no turn", unknown: "unknown command, no turn", free: "free, no turn",
    unparsed: "no usable command", refused: "refused", cut_off: "cut off",
  };
  // The same rule as visible.py: control and format characters, lone surrogates, line and paragraph separators.
  const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

  const data = JSON.parse(document.getElementById("data").textContent);
  const isText = new Set(data.text_fields);
  const named = (fields, row) => {
    const object = {};
    fields.forEach((field, place) => {
      const value = row[place];
      object[field] = !isText.has(field) ? value : value < 0 ? null : data.strings[value];
    });
    return object;
  };
  const episodes = data.episodes.map((row) => {
    const episode = named(data.episode_fields, row);
    episode.id = [episode.scenario, episode.variant, episode.agent, episode.seed, episode.epoch, episode.attempt].join("/");
    return episode;
  });

  const form = document.querySelector(".filters");
  const list = document.querySelector(".list");
  const more = document.querySelector(".more");
  const count = document.querySelector(".count");
  const browser = document.querySelector(".browser");
  const pane = document.querySelector(".pane");
  const panel = document.querySelector(".transcript");
  const FILTERS = ["agent", "family", "variant", "ending"];
  const TOLD = ["instructions", "help", "tools"]; // the same in many episodes: a search for a command does not look there
  const narrow = matchMedia("(max-width: 800px)"); // as in report.css: the transcript stands below the list
  let found = [];
  let shown = 0;
  let open = null;
  let writing = 0;
  let opened = false; // reasoning and replies of the steps

  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) fill(element, String(text));
    return element;
  }

  // Append text with its unseen characters spelled out and marked.
  function fill(element, text) {
    let from = 0;
    for (const match of text.matchAll(UNSEEN)) {
      const character = match[0];
      if (character === "\n" || character === "\t") continue;
      element.append(text.slice(from, match.index));
      const code = character.codePointAt(0);
      const escape = code < 0x100 ? "\\x" + code.toString(16).padStart(2, "0")
        : code < 0x10000 ? "\\u" + code.toString(16).padStart(4, "0") : "\\U" + code.toString(16).padStart(8, "0");
      const mark = document.createElement("span");
      mark.className = "unseen";
      mark.textContent = escape;
      element.append(mark);
      from = match.index + character.length;
    }
    element.append(text.slice(from));
  }

  function block(className, text) {
    const element = make("div", className);
    if (text.length <= CLIP) {
      fill(element, text);
      return element;
    }
    const start = make("div", "", text.slice(0, CLIP));
    const button = make("button", "all", "Show all " + text.length.toLocaleString("en") + " characters");
    button.type = "button";
    button.addEventListener("click", () => {
      element.textContent = "";
      fill(element, text);
    });
    element.append(start, button);
    return element;
  }

  const title = (ending) => TITLES[ending] || ending;
  const mark = (ending) => {
    const element = make("span", "mark " + ending, MARKS[ending] || "\u25cb");
    element.setAttribute("aria-hidden", "true");
    return element;
  };

  // Places in `strings` that hold the words: each distinct text is looked at once, however many episodes show it.
  function places(words) {
    const hits = new Set();
    data.strings.forEach((text, place) => {
      if (text.toLowerCase().includes(words)) hits.add(place);
    });
    return hits;
  }

  function search(words) {
    const strings = places(words);
    const textual = (fields) => fields.map((field, place) => (isText.has(field) ? place : -1)).filter((place) => place >= 0);
    const stepPlaces = textual(data.step_fields);
    const episodePlaces = textual(data.episode_fields.map((field) => (TOLD.includes(field) ? "" : field)));
    const steps = new Set();
    data.steps.forEach((row, place) => {
      if (stepPlaces.some((column) => strings.has(row[column]))) steps.add(place);
    });
    return (episode, index) =>
      episodePlaces.some((column) => strings.has(data.episodes[index][column])) || episode.steps.some((step) => steps.has(step));
  }

  function apply() {
    const wanted = {};
    for (const name of FILTERS) {
      if (form.elements[name].value) wanted[name] = form.elements[name].value;
    }
    const words = form.elements.search.value.trim().toLowerCase();
    const matches = words ? search(words) : () => true;
    found = episodes.filter(
      (episode, index) => Object.keys(wanted).every((name) => episode[name] === wanted[name]) && matches(episode, index),
    );
    count.textContent = found.length + " of " + episodes.length + (episodes.length === 1 ? " episode" : " episodes");
    list.textContent = "";
    shown = 0;
    extend();
  }

  function extend() {
    const rows = document.createDocumentFragment();
    for (const episode of found.slice(shown, shown + PAGE)) {
      const item = make("li");
      const button = make("button");
      button.type = "button";
      button.episode = episode;
      button.append(
        mark(episode.ending),
        make("span", "scenario", episode.scenario),
        make("span", "what", episode.variant + ", " + episode.agent),
        make("span", "seed", "seed " + episode.seed + (episode.epoch ? "." + episode.epoch : "")),
        make("span", "end", title(episode.ending) + (episode.counted ? "" : ", not counted")),
      );
      button.setAttribute("aria-current", String(episode === open));
      item.append(button);
      rows.append(item);
    }
    list.append(rows);
    shown = Math.min(found.length, shown + PAGE);
    more.hidden = shown >= found.length;
  }

  function show(episode, move) {
    open = episode;
    for (const button of list.querySelectorAll("button")) {
      button.setAttribute("aria-current", String(button.episode === episode));
    }
    panel.textContent = "";
    panel.append(head(episode));
    if (episode.instructions !== null) panel.append(folded("instructions to the model, before the opening", episode.instructions));
    const films = shownIn(episode);
    panel.append(make("h4", "", "Opening"), ...films.opening.map(film), block("prose", episode.opening || ""));
    if (episode.help !== null) panel.append(folded("help page that followed: the commands on offer", episode.help));
    if (episode.tools !== null) panel.append(folded("function on offer", episode.tools));
    const steps = make("ol", "steps");
    episode.steps.forEach((place, number) => {
      const item = step(named(data.step_fields, data.steps[place]));
      item.querySelector(".command").after(...(films.steps.get(number) || []).map(film));
      steps.append(item);
    });
    const inside = steps.querySelectorAll("details");
    unfold(inside);
    panel.append(make("h4", "", "Interactions"));
    if (inside.length) panel.append(opener(inside));
    panel.append(steps);
    panel.append(make("p", "final " + episode.ending, ending(episode)));
    panel.prepend(back());
    panel.scrollTop = 0;
    if (move) {
      address();
      panel.focus({ preventScroll: true });
      jump(narrow.matches ? panel : browser, narrow.matches ? "start" : "nearest");
    }
  }

  // One button for all reasoning and replies; what it was set to holds for the next transcript too.
  function opener(inside) {
    const button = make("button", "openall", opened ? "Close all" : "Open all reasoning and replies");
    button.type = "button";
    button.setAttribute("aria-pressed", String(opened));
    button.addEventListener("click", () => {
      opened = !opened;
      button.textContent = opened ? "Close all" : "Open all reasoning and replies";
      button.setAttribute("aria-pressed", String(opened));
      unfold(inside);
    });
    return button;
  }

  function unfold(inside) {
    for (const details of inside) details.open = opened;
  }

  // Where the list is above a long transcript: the way back to it. Hidden in a wide window.
  function back() {
    const button = make("button", "back", "Back to the list");
    button.type = "button";
    button.addEventListener("click", () => {
      jump(browser, "start");
      const row = list.querySelector("[aria-current=true]") || list.querySelector("button");
      if (row) row.focus({ preventScroll: true });
    });
    return button;
  }

  function jump(element, block) {
    element.scrollIntoView({ block });
  }

  // Keep what is filtered, searched and open in the address, so that it can be passed on.
  function address() {
    clearTimeout(writing);
    const wanted = new URLSearchParams();
    for (const name of FILTERS) if (form.elements[name].value) wanted.set(name, form.elements[name].value);
    const words = form.elements.search.value.trim();
    if (words) wanted.set("q", words);
    if (open) wanted.set("episode", open.id);
    history.replaceState(null, "", "#" + (wanted.toString() || "transcripts"));
  }

  // Show the open episode's row in the list, however far down it is.
  function reveal() {
    const place = found.indexOf(open);
    if (place < 0) return;
    while (shown <= place) extend();
    const row = list.children[place];
    pane.scrollTop = row.offsetTop - (pane.clientHeight - row.offsetHeight) / 2;
  }

  function ending(episode) {
    const outcome = episode.outcome ? ": " + episode.outcome.replaceAll("_", " ") : "";
    const error = episode.error ? ". " + episode.error : "";
    return "Ended " + (episode.outcome ? title(episode.ending) : "without an outcome, " + title(episode.ending)) + outcome + error;
  }

  function head(episode) {
    const header = make("header");
    const line = make("h3");
    line.append(mark(episode.ending), make("span", "", episode.scenario), make("span", "hint", title(episode.ending)));
    const facts = make("dl", "facts");
    const fact = (name, value) => {
      const pair = make("div");
      pair.append(make("dt", "", name), make("dd", "", value));
      facts.append(pair);
    };
    fact("agent", episode.agent);
    fact("variant", episode.variant);
    fact("seed", episode.seed);
    if (episode.epoch) fact("epoch", episode.epoch);
    if (episode.attempt > 1 || !episode.counted) fact("attempt", episode.attempt + (episode.counted ? "" : ", not counted"));
    fact("turns", episode.turns);
    fact("interactions", episode.interactions);
    fact("rejected", episode.rejected);
    fact("unknown", episode.unknown);
    if (episode.reasks) fact("asked again", episode.reasks);
    if (episode.malformed) fact("malformed", episode.malformed);
    fact("reward", episode.reward);
    if (episode.value !== null) fact("assigned value", episode.value);
    if (episode.calls) {
      fact("tokens", (episode.input_tokens + episode.output_tokens).toLocaleString("en"));
      fact("cost", episode.cost_usd === null ? "unknown" : "$" + episode.cost_usd.toFixed(4));
    }
    if (episode.models !== null) fact("answered as", episode.models);
    if (episode.protocol !== null) fact("protocol", episode.protocol);
    header.append(line, facts);
    const command = episode.instructions === null ? prompt(episode) : [];
    if (command.length) {
      const how = make("p", "told", "What the model was sent before its first reply, instructions and help page with it, is printed by");
      const code = make("code");
      command.forEach((word, place) => code.append(place ? " " : "", make("span", "", word)));
      how.append(code);
      header.append(how);
    }
    return header;
  }

  // The words of the command that prints what a model was sent before its first reply; none where one of them is not
  // plain, so that nothing out of a record can do harm in the shell of whoever copies it.
  function prompt(episode) {
    if (episode.protocol === null) return [];
    const words = ["conflictbench", "show-prompt", episode.scenario];
    const [id, pictures] = episode.protocol.split("+");
    words.push("--protocol", id.replace(/-last[0-9]+$/, ""), "--variant", episode.variant);
    if (pictures) words.push("--observation", "visual");
    if (episode.env !== "ConflictBench/" + episode.scenario.split("-")[0] + "-v0") {
      words.push("--env", episode.env, "--seed", String(episode.seed));
    }
    return words.every((word) => /^(--)?[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(word)) ? words : [];
  }

  function step(values) {
    const item = make("li");
    const line = make("p", "command");
    line.append(make("span", "turn", values.event === "accepted" ? "turn " + values.turn : ""));
    line.append(make("kbd", "", values.command || "(no command)"));
    const flag = EVENTS[values.event || values.verdict];
    if (flag) line.append(make("span", "flag", flag));
    item.append(line);
    if (values.reasoning) item.append(folded("reasoning" + (values.source ? " (" + values.source + ")" : ""), values.reasoning));
    if (values.reply !== null && values.reply.trim() !== values.command) item.append(folded("whole reply", values.reply));
    item.append(block("prose", values.text || ""));
    return item;
  }

  // The clips of an episode: those of its opening, and by step. Empty where the report has no pictures.
  function shownIn(episode) {
    const places = data.pictures ? data.pictures.episodes[episodes.indexOf(episode)] : null;
    if (!places) return { opening: [], steps: new Map() };
    const clips = (numbers) => numbers.map((number) => data.pictures.clips[number]);
    return { opening: clips(places[0]), steps: new Map(places[1].map(([step, numbers]) => [step, clips(numbers)])) };
  }

  // One clip: a video where there is one, else its frames side by side, which play one after another when pressed.
  function film(clip) {
    const figure = make("figure", "film");
    const named = clip.name.replaceAll("_", " ");
    if (clip.video) {
      const video = make("video");
      video.controls = true;
      video.preload = "none";
      video.poster = clip.strip;
      video.src = clip.video;
      video.setAttribute("aria-label", "clip of " + named);
      figure.append(video);
    } else if (clip.strip) {
      figure.append(strip(clip, named));
    }
    const frames = clip.strip && !clip.video ? ": frames " + clip.frames.join(", ") + "; press to play" : "";
    figure.append(make("figcaption", "", named + frames + (clip.why ? ": " + clip.why : "")));
    return figure;
  }

  function strip(clip, named) {
    const button = make("button", "strip");
    button.type = "button";
    button.setAttribute("aria-label", "play the frames of " + named);
    const image = make("img");
    image.alt = "frames " + clip.frames.join(", ") + " of " + named;
    image.loading = "lazy";
    image.src = clip.strip;
    button.append(image);
    let playing = 0;
    button.addEventListener("click", () => {
      const ends = clip.frames.length - 1;
      clearInterval(playing);
      if (button.classList.toggle("playing") && ends > 0) {
        let now = 0;
        const turn = () => (image.style.objectPosition = (100 * now) / ends + "% 50%");
        image.style.aspectRatio = image.naturalWidth / (ends + 1) + " / " + image.naturalHeight;
        turn();
        playing = setInterval(() => {
          if (!image.isConnected) clearInterval(playing);
          now = now === ends ? 0 : now + 1;
          turn();
        }, 1000); // the frames are a second apart
      } else {
        image.style.aspectRatio = image.style.objectPosition = "";
      }
    });
    return button;
  }

  function folded(name, text) {
    const details = make("details");
    details.append(make("summary", "", name));
    details.addEventListener("toggle", () => details.append(text === "" ? make("div", "raw", "(empty)") : block("raw", text)), { once: true });
    return details;
  }

  // The address after # holds filters (agent, family, variant, ending), a search (q) and one episode, or a section.
  function follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const id = wanted.get("episode");
    if (id === null && ![...FILTERS, "q"].some((name) => wanted.has(name))) return;
    for (const name of FILTERS) form.elements[name].value = wanted.get(name) || "";
    form.elements.search.value = wanted.get("q") || "";
    apply();
    const episode = episodes.find((candidate) => candidate.id === id);
    if (episode) {
      if (episode !== open) show(episode, false);
      reveal();
    } else if (id !== null) {
      panel.replaceChildren(make("p", "empty", "This report has no episode " + id + "."));
    }
    jump(id === null ? document.getElementById("transcripts") : narrow.matches ? panel : browser, "start");
  }

  for (const name of FILTERS) {
    for (const value of new Set(episodes.map((episode) => episode[name]))) {
      const option = make("option", "", name === "ending" ? title(value) : value);
      option.value = value;
      form.elements[name].append(option);
    }
  }
  function changed() {
    apply();
    clearTimeout(writing);
    writing = setTimeout(address, 250); // not at every key: browsers limit how often the address may change
  }
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed)); // after the browser has emptied the fields
  more.addEventListener("click", extend);
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(button.episode, true);
  });
  form.elements.search.addEventListener("keydown", (event) => {
    const first = list.querySelector("button");
    if (!first || (event.key !== "ArrowDown" && event.key !== "Enter")) return;
    event.preventDefault();
    if (event.key === "Enter") show(first.episode, true);
    else first.focus();
  });
  pane.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const item = document.activeElement.closest("li");
    if (!item) return;
    event.preventDefault();
    const next = event.key === "ArrowDown" ? item.nextElementSibling : item.previousElementSibling;
    if (next) next.firstElementChild.focus();
    else if (event.key === "ArrowUp") form.elements.search.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
    event.preventDefault();
    jump(document.getElementById("transcripts"), "start");
    form.elements.search.focus({ preventScroll: true });
  });
  window.addEventListener("hashchange", follow);
  form.hidden = false;
  browser.hidden = false;
  apply();
  follow();
})();
