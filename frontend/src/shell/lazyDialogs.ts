import { lazyPart } from '@/lib/lazyPart';

// What opens on request is loaded on its own.
export const CommandPalette = lazyPart(() => import('./CommandPalette').then((module) => module.CommandPalette));
export const ShortcutsDialog = lazyPart(() => import('./ShortcutsDialog').then((module) => module.ShortcutsDialog));
export const NewProjectDialog = lazyPart(() => import('./NewProjectDialog').then((module) => module.NewProjectDialog));
export const Drawer = lazyPart(() => import('./Drawer').then((module) => module.Drawer));
