// The page around a player: its prose and the player's session are one thing.
import { clientChoice } from './client_choice.js';
import { makeTabs } from './client_tabs.js';
import { offerWorkload } from './own_workload.js';
import { joinSteps } from './walk.js';

const player = document.querySelector('hotkv-player');
if (player) joinSteps(player, [...document.querySelectorAll('[data-seek], [data-go]')]);

clientChoice.suggest(new URLSearchParams(location.search).get('client'));
for (const box of document.querySelectorAll('[data-programs]')) makeTabs(box);
for (const box of document.querySelectorAll('[data-workload]')) offerWorkload(box);
