ALTER TABLE `confirmation` ADD `channels` integer DEFAULT 3 NOT NULL;--> statement-breakpoint
ALTER TABLE `device` ADD `forwarded_message_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `device` ADD `forwarded_log_seq` integer DEFAULT 0 NOT NULL;