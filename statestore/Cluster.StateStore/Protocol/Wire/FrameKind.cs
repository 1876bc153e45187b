namespace Cluster.StateStore.Protocol.Wire;

/// <summary>Which frame follows a header. The numbers are part of the format.</summary>
internal enum FrameKind : byte
{
    Beacon = 1,
    BeaconAck = 2,
    TableHint = 3,
    Proposal = 4,
    MemberAsk = 5,
    DeathReport = 6,
    Append = 7,
    Ack = 8,
    CopyAsk = 9,
    CopyChunk = 10,
    CopyAck = 11,
    CommitAsk = 12,
    CommitTold = 13,
    Layouts = 14,
    LayoutsKept = 15,
    CopyAskWithBase = 16,
}
