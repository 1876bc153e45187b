using Cluster.Glue.Settings;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Tests.Substreams;

/// <summary>What the receiver of chunks accepts, and what a peer that lies gets for it.</summary>
public sealed class IncomingTransfersTests
{
    private const int MaxMessageBytes = 1024 * 1024 * 1024;

    private static readonly LinkSettings Settings = new()
    {
        PeerName = "test",
        Peer = default,
        Secret = default,
        ResumeWindow = TimeSpan.Zero,
        MaxLinkAge = TimeSpan.FromHours(1),
        MaxMessageBytes = MaxMessageBytes,
        MaxCallsInFlight = 1,
        ServedCallsMax = 1,
        MaxSendQueueBytes = 1,
        HeartbeatInterval = TimeSpan.FromSeconds(1),
        Time = TimeProvider.System,
    };

    private readonly TransferRoom _room = new(Settings);
    private readonly IncomingTransfers _transfers;

    public IncomingTransfersTests() => _transfers = new IncomingTransfers(Settings, _room);

    [Fact]
    public void Pieces_AreJoinedInOrder()
    {
        Assert.False(Take(1, First(5)));
        Assert.False(Take(2, First(1)));
        Assert.False(Take(1, [1, 2, 3]));
        Assert.True(Take(2, [9]));
        Assert.True(Take(1, [4, 5]));
    }

    [Fact]
    [Trait("Case", "glue-72")]
    public void LengthsThatAreMerelyAnnounced_CostNothing()
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (ulong id = 1; id <= GlueWire.TransfersMax; id++)
        {
            Take(id, First(MaxMessageBytes / 8));
            Take(id, [1]);
        }

        // One array of 64 KiB each, and not 128 megabytes.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, GlueWire.TransfersMax * 128 * 1024);
        _transfers.Clear();
    }

    [Fact]
    [Trait("Case", "glue-72")]
    public void LengthsTogether_AreBoundedOverAllSubstreams()
    {
        var other = new IncomingTransfers(Settings, _room);
        Take(1, First(MaxMessageBytes));
        Take(2, First(MaxMessageBytes - 1));
        Assert.False(Take(other, 1, First(1)));
        Assert.Contains(
            "under way on this link", Assert.Throws<WireException>(() => Take(other, 2, First(1))).Message,
            StringComparison.Ordinal);
        // Room comes back with the end of a transfer.
        Take(1, []);
        Assert.False(Take(other, 3, First(MaxMessageBytes)));
    }

    [Fact]
    public void AbandonedTransfer_EndsAndLeavesItsPlace()
    {
        for (ulong id = 1; id <= 100; id++)
        {
            Assert.False(Take(id, First(10)));
            Assert.False(Take(id, []));
        }
    }

    [Fact]
    public void MoreThanAnnounced_IsAViolation()
    {
        Take(1, First(2));
        CheckViolation(1, [1, 2, 3], "announced 2");
    }

    [Fact]
    public void LongerThanTheLimit_IsAViolation_BeforeAByteHasCome() =>
        CheckViolation(1, First(MaxMessageBytes + 1), "MaxMessageBytes");

    [Fact]
    public void TooManyAtOnce_AreAViolation()
    {
        for (ulong id = 1; id <= GlueWire.TransfersMax; id++)
            Take(id, First(10));
        CheckViolation(GlueWire.TransfersMax + 1, First(10), "16 transfers");
    }

    [Fact]
    public void PieceOfAnEndedTransfer_IsAViolation()
    {
        Take(1, First(1));
        Assert.True(Take(1, [1]));
        CheckViolation(1, [1], "has ended");
    }

    [Fact]
    public void KindsThatAreNeverLarge_AreAViolation()
    {
        foreach (var kind in (EnvelopeKind[])[EnvelopeKind.Chunk, EnvelopeKind.Hello, EnvelopeKind.Leave])
            CheckViolation(1, First(10, kind), "never that large");
    }

    [Fact]
    public void BytesBehindTheHead_AreAViolation() => CheckViolation(1, [.. First(10), 7], "follow");

    private static byte[] First(int length, EnvelopeKind kind = EnvelopeKind.Reply)
    {
        var bytes = new byte[64];
        var at = Varint.Write(bytes, (ulong)length);
        at += new EnvelopeHeader { Kind = kind, CallId = 3 }.WriteHead(bytes.AsSpan(at));
        return bytes[..at];
    }

    private bool Take(ulong id, byte[] body) => Take(_transfers, id, body);

    private static bool Take(IncomingTransfers transfers, ulong id, byte[] body)
    {
        var bytes = new byte[64 + body.Length];
        var at = new EnvelopeHeader { Kind = EnvelopeKind.Chunk, CallId = id }.Write(bytes, body.Length);
        body.CopyTo(bytes, at);
        var reader = new WireReader(bytes);
        if (transfers.Take(Envelope.Read(ref reader), sentAt: 0) is not { } transfer)
            return false;
        transfer.Complete().Release();
        return true;
    }

    private void CheckViolation(ulong id, byte[] body, string reason)
    {
        var violation = Assert.Throws<WireException>(() => Take(id, body));
        Assert.Contains(reason, violation.Message, StringComparison.Ordinal);
    }
}
