namespace Cluster.Glue.Wire;

/// <summary>The kind of an envelope. Values are wire format and never reused.</summary>
internal enum EnvelopeKind : byte
{
    None = 0,

    /// <summary>A request that expects exactly one Reply or Fault.</summary>
    Call = 1,

    /// <summary>A request without an answer.</summary>
    OneWay = 2,

    /// <summary>The result of a call.</summary>
    Reply = 3,

    /// <summary>The failure of a call.</summary>
    Fault = 4,

    /// <summary>The caller no longer waits for this call.</summary>
    Cancel = 5,

    /// <summary>Asks for a Pong with the same id.</summary>
    Ping = 6,

    Pong = 7,

    /// <summary>First envelope of the side that opened the link.</summary>
    Hello = 8,

    /// <summary>First envelope of the side that accepted the link.</summary>
    Welcome = 9,

    /// <summary>Gives handles to the methods of one contract.</summary>
    Bind = 10,

    /// <summary>The bind result on each method of a Bind.</summary>
    Bound = 11,

    /// <summary>The sender takes no new calls and will end the link when the running ones are done.</summary>
    Drain = 12,

    /// <summary>First envelope on a stream that carries a substream of a link which is open already.</summary>
    Join = 13,

    /// <summary>First envelope of the side that accepted a joining stream.</summary>
    Joined = 14,

    /// <summary>The sender ends the link in order; nothing follows on any substream.</summary>
    Leave = 15,

    /// <summary>A piece of a large envelope; the call id is the number of the transfer.</summary>
    Chunk = 16,

    /// <summary>The accepter has envelopes for the substream that the call id names, and asks the opener to join
    /// it.</summary>
    OpenSubstream = 17,

    /// <summary>Items of the stream with this id, sent by its owner.</summary>
    Items = 18,

    /// <summary>The stream with this id has ended or failed; no further items follow.</summary>
    End = 19,

    /// <summary>The owner of the stream with this id may send more; the first one starts it.</summary>
    Credit = 20,

    /// <summary>Nobody reads the stream with this id any more; its owner answers with End.</summary>
    Stop = 21,

    /// <summary>Gives references to the object or stream with this id back to its owner.</summary>
    Release = 22,

    /// <summary>A Call that waits for the earlier one-way calls of the line that it names.</summary>
    Following = 23,

    /// <summary>The proof of the opener that it knows the secret, after a Welcome that asks for it.</summary>
    Proof = 24,

    /// <summary>The proof of the accepter. The link is open then.</summary>
    Proven = 25,
}
