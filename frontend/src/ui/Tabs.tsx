import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import clsx from 'clsx';
import type { ReactNode } from 'react';

interface TabsProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  label: string;
  tabs: readonly { value: Value; label: string; count?: string | undefined }[];
  children: ReactNode;
}

export function Tabs<Value extends string>({ value, onChange, label, tabs, children }: TabsProps<Value>) {
  return (
    <BaseTabs.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <BaseTabs.List aria-label={label} className="relative mt-1 flex shrink-0 gap-0.5 border-b border-line px-2.5">
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className="relative flex h-9 items-center gap-1.5 px-2.5 text-sm font-medium whitespace-nowrap text-fg-2 outline-none hover:text-fg focus-visible:rounded-md focus-visible:outline-2 focus-visible:outline-offset-[-3px] focus-visible:outline-focus data-[active]:text-fg"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="rounded-full bg-hover px-1.5 text-2xs leading-4 font-medium text-fg-3 tnum">
                {tab.count}
              </span>
            )}
          </BaseTabs.Tab>
        ))}
        <BaseTabs.Indicator className="absolute bottom-[-1px] left-0 h-0.5 w-[calc(var(--active-tab-width)-20px)] translate-x-[calc(var(--active-tab-left)+10px)] rounded-full bg-accent transition-all duration-150" />
      </BaseTabs.List>
      {children}
    </BaseTabs.Root>
  );
}

interface TabPanelProps {
  value: string;
  className?: string;
  children: ReactNode;
}

export function TabPanel({ value, className, children }: TabPanelProps) {
  return (
    <BaseTabs.Panel value={value} className={clsx('min-h-0 flex-1 outline-none', className)}>
      {children}
    </BaseTabs.Panel>
  );
}
