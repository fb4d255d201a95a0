CREATE TABLE `device_peer` (
	`model` text PRIMARY KEY,
	`service` text NOT NULL,
	`write` text NOT NULL,
	`notify` text NOT NULL,
	`password_form` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device_setup` (
	`device_id` text PRIMARY KEY,
	`model` text NOT NULL,
	`status` integer NOT NULL,
	`error` integer,
	`message` text NOT NULL,
	`mac` text NOT NULL,
	`address` text NOT NULL,
	`mask` text NOT NULL,
	`gateway` text NOT NULL,
	`via` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `network_setup` (
	`id` integer PRIMARY KEY,
	`state` text NOT NULL,
	`changed_at` integer NOT NULL,
	`ssid` text NOT NULL,
	`sealed_hotspot_key` blob,
	`last_status` integer,
	`last_error` integer,
	`last_says` text,
	`last_ssid` text,
	`last_at` integer
);
--> statement-breakpoint
CREATE INDEX `device_setup_by_at` ON `device_setup` (`at`);