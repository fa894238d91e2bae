// @ts-check
import { settings } from './settings.js';

/** A sound is a few short tones: start and length in seconds, pitch at start and end in hertz, loudness. `noise` gives
 * a rustle instead.
 * @typedef {{ at?: number, long: number, from: number, to?: number, loud?: number, shape?: OscillatorType, noise?:
 *   boolean }} Tone */

/** @type {Record<string, Tone[]>} */
const SOUNDS = {
  card: [{ long: 0.09, from: 2600, to: 900, noise: true, loud: 0.25 }],
  step: [{ long: 0.07, from: 210, to: 130, shape: 'triangle' }, {
    at: 0.13,
    long: 0.07,
    from: 240,
    to: 140,
    shape: 'triangle',
  }],
  back: [{ long: 0.08, from: 190, to: 120, shape: 'triangle' }, {
    at: 0.14,
    long: 0.09,
    from: 150,
    to: 90,
    shape: 'triangle',
  }],
  draw: [{ long: 0.08, from: 1500, to: 3000, noise: true, loud: 0.2 }, {
    at: 0.12,
    long: 0.08,
    from: 1500,
    to: 3000,
    noise: true,
    loud: 0.2,
  }],
  dice: [0, 0.07, 0.15, 0.26].map((at) => ({
    at,
    long: 0.05,
    from: 1900 - at * 2000,
    to: 900,
    noise: true,
    loud: 0.35,
  })),
  board: [{ long: 0.16, from: 392, shape: 'triangle' }, { at: 0.12, long: 0.3, from: 587, shape: 'triangle' }],
  seal: [{ long: 0.12, from: 160, to: 70, shape: 'triangle', loud: 0.5 }],
  end: [{ long: 0.06, from: 330, to: 300, shape: 'sine', loud: 0.15 }],
  turn: [{ long: 0.14, from: 523, shape: 'sine' }, { at: 0.14, long: 0.22, from: 784, shape: 'sine' }],
  warn: [0, 0.2, 0.4].map((at) => ({ at, long: 0.08, from: 880, shape: 'square', loud: 0.08 })),
  chat: [{ long: 0.06, from: 1047, shape: 'sine', loud: 0.12 }],
  win: [392, 523, 659, 784, 1047].map((from, n) => ({
    at: n * 0.13,
    long: n === 4 ? 0.7 : 0.16,
    from,
    shape: 'triangle',
  })),
  over: [392, 330, 262].map((from, n) => ({ at: n * 0.18, long: 0.25, from, shape: 'triangle', loud: 0.2 })),
};

/** @type {AudioContext | undefined} */
let audio;
/** @type {AudioBuffer | undefined} */
let rustle;

/** Play a sound, unless sounds are off or the browser does not allow it yet. @param {string} name */
export function sound(name) {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  audio.resume();
  for (const tone of SOUNDS[name] ?? []) play(audio, tone);
}

/** @param {AudioContext} context @param {Tone} tone */
function play(context, { at = 0, long, from, to = from, loud = 0.3, shape = 'sine', noise = false }) {
  const begin = context.currentTime + at, gain = context.createGain();
  gain.gain.setValueAtTime(loud * 0.5, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + long);
  const source = noise ? noiseOf(context) : new OscillatorNode(context, { type: shape });
  const pitched = source instanceof OscillatorNode
    ? source
    : new BiquadFilterNode(context, { type: 'bandpass', Q: 1.2 });
  pitched.frequency.setValueAtTime(from, begin);
  pitched.frequency.exponentialRampToValueAtTime(to, begin + long);
  if (pitched !== source) source.connect(pitched);
  pitched.connect(gain).connect(context.destination);
  source.start(begin);
  source.stop(begin + long);
}

/** @param {AudioContext} context */
function noiseOf(context) {
  if (!rustle) {
    rustle = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
    const samples = rustle.getChannelData(0);
    for (let n = 0; n < samples.length; n++) samples[n] = Math.random() * 2 - 1;
  }
  return new AudioBufferSourceNode(context, { buffer: rustle, loop: true });
}
