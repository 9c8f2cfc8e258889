import { createHmac, timingSafeEqual } from 'node:crypto';
import { ticketLifetimeSeconds } from '@assay/contract/limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { KeyRing } from '#platform/mechanisms/key-ring.ts';

export type Tickets = {
  issue(keyId: string, channel: string): { ticket: string; expiresAt: Date };
  /** The key that the ticket was issued to, if it is valid for this channel now. */
  keyIdOf(ticket: string, channel: string): string | undefined;
};

const ticketShape = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.(\d{10})\.([\w-]{43})$/;

/**
 * A ticket opens one channel for a short time, for clients that cannot send a header. It is signed and not stored: any
 * process can verify it, and it becomes invalid with its key.
 */
export function createTickets(peppers: KeyRing, clock: Clock): Tickets {
  return {
    issue(keyId, channel) {
      const expires = Math.ceil(clock.now().getTime() / 1000) + ticketLifetimeSeconds;
      const signature = sign(peppers[0], keyId, expires, channel).toString('base64url');
      return { ticket: `${keyId}.${expires}.${signature}`, expiresAt: new Date(expires * 1000) };
    },
    keyIdOf(ticket, channel) {
      const [, keyId, expires, signature] = ticketShape.exec(ticket) ?? [];
      if (!keyId || !signature || Number(expires) * 1000 <= clock.now().getTime()) return undefined;
      const given = Buffer.from(signature, 'base64url');
      const isValid = peppers.some((pepper) => timingSafeEqual(given, sign(pepper, keyId, Number(expires), channel)));
      return isValid ? keyId : undefined;
    },
  };
}

function sign(pepper: string, keyId: string, expires: number, channel: string): Buffer {
  return createHmac('sha256', pepper).update(`realtime ticket\n${keyId}\n${expires}\n${channel}`).digest();
}
