/** The digests of all that payers' browsers load, by name: written by scripts/write-manifest.mjs. */
export const PINNED_FILES: Readonly<Record<string, string>> = {
  'icon.svg': 'sha384-pJy6oZ7GAz/dsKIPGAJcYda+K8MMRxDD78LZlMWgiRz3ICMQVVz13+xz2SyQybiw',
  'page.css': 'sha384-CAlEec0qN6AzhasNkNCIbFYLyIGLHfmpLzkESeTPvV8vRu26om9GVqbXk2DCjISO',
  'page.js': 'sha384-LGq5shtKMyQVCNKH1380MJUwGnUmqRuY0Qr0wTDxaevooyAC8GhcxisliKTGkBMt',
  'view.js': 'sha384-Jhbo2ROYupm93SRO9T5rKWSaBoHUD5cUbQSZAWjygRk10h70iTpzQYcQVp0+7N7y',
};
