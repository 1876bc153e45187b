namespace Cluster.SystemTests.Interop;

/// <summary>The kinds of envelopes, as <c>docs/formats/glue-wire.md</c> numbers them.</summary>
internal enum StockKind : byte
{
    Call = 1,
    OneWay = 2,
    Reply = 3,
    Fault = 4,
    Cancel = 5,
    Ping = 6,
    Pong = 7,
    Hello = 8,
    Welcome = 9,
    Bind = 10,
    Bound = 11,
    Join = 13,
    Joined = 14,
    Leave = 15,
    Chunk = 16,
    Following = 23,
}
