import semver from 'semver';

/** What may run beside the service: licences that ask for no more than to keep their text. */
const RUNTIME_LICENCES = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'ISC', 'MIT'];
/** A tool whose package names no licence; its repository is under Apache-2.0. */
const WITHOUT_LICENCE = ['@react-aria/optimize-locales-plugin'];
const SHA_512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/**
 * What is wrong with what a lockfile brings (OWASP ASVS 5, 15.1.2; PCI DSS 4.0.1, 6.3.2): one line each.
 *
 * @param project package.json
 * @param lock package-lock.json
 */
export function supplyFindings(project, lock) {
  const floor = semver.minVersion(project.engines.node);
  const refusedScripts = Object.keys(project.allowScripts).filter((name) => !project.allowScripts[name]);
  const ofPackage = ([path, entry]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return packageFindings(name, entry, { floor, refusedScripts }).map((finding) => `${path} ${finding}`);
  };
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  return [...directFindings(project), ...packages.flatMap(ofPackage)];
}

/** A range, an address or a folder would bring what was never looked at. */
function directFindings(project) {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(project[kind])
      .filter(([, version]) => semver.valid(version) === null)
      .map(([name]) => `package.json: ${kind}.${name} is no exact version.`),
  );
}

function packageFindings(name, entry, { floor, refusedScripts }) {
  const { dev, engines, hasInstallScript, integrity, license, resolved, version } = entry;
  const isLicensed = license === undefined ? WITHOUT_LICENCE.includes(name) : dev || RUNTIME_LICENCES.includes(license);
  const rules = [
    [semver.valid(version) !== null, 'is no version of a registry.'],
    [SHA_512.test(integrity ?? ''), 'has no SHA-512 digest.'],
    // Which registry is the machine's own setting; a lockfile that names one sends every machine there.
    [resolved === undefined, 'names the address that it came from. Take `resolved` out.'],
    [!hasInstallScript || refusedScripts.includes(name), 'has an install script that `allowScripts` does not refuse.'],
    [isLicensed, 'has a licence that is not among those allowed.'],
    [semver.satisfies(floor, engines?.node ?? '*'), `wants Node ${engines?.node}: npm ci warns on ${floor.version}.`],
  ];
  return rules.flatMap(([holds, finding]) => (holds ? [] : [finding]));
}
