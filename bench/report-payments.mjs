/** Prints what was measured of payments beside the goals. */
import { printGoal, printValue } from './report.mjs';

/** What each place promises: times itself ungrouped, and times the driver. */
const PLACES = {
  spread: { title: 'Authorize on 1000 accounts', ungrouped: 3, driver: 0.8 },
  hot: { title: 'Authorize on one account', ungrouped: 6, driver: 3.5 },
};

export function reportPayments({ alone, ...places }) {
  for (const [place, { title, ungrouped, driver }] of Object.entries(PLACES)) {
    const measured = places[place];
    printValue(`${title}, 64 connections, requests a second`, measured.perSecond);
    printValue('  the same with batches of one', measured.ungroupedPerSecond);
    printValue('  one statement for each on 16 connections of the driver', measured.driverPerSecond);
    printValue('  processor time of the service for each, microseconds', measured.processorUs);
    printGoal('  99 % of them within, milliseconds', measured.p99Ms, { below: 100 });
    printGoal('  times itself with batches of one', measured.overUngrouped, { atLeast: ungrouped });
    printGoal('  times the driver', measured.overDriver, { atLeast: driver });
  }
  printValue('Authorize by one client alone, milliseconds', alone.medianMs);
  printGoal('  more than one statement of the driver, milliseconds', alone.moreMs, { below: 2 });
}

export function reportStored(sizes) {
  for (const { size, loadSeconds, gibibytes, smallPerSecond, largePerSecond, ratio } of sizes) {
    printValue(`Authorize beside ${size} stored payments, requests a second`, largePerSecond);
    printValue('  beside 10000', smallPerSecond);
    printGoal('  share of that', ratio, { atLeast: 0.8 });
    printValue('  to load them took seconds', loadSeconds);
    printValue('  and disk, GiB', gibibytes);
  }
}
