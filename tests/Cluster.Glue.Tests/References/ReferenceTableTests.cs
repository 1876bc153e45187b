using Cluster.Glue.Client;
using Cluster.Glue.References;
using Cluster.Glue.Serving;
using Cluster.Glue.Sessions;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Cluster.Glue.Streams;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Wire;
using Cluster.Testing;

namespace Cluster.Glue.Tests.References;

/// <summary>What a peer must not do with references, and what cutting items refuses.</summary>
public sealed class ReferenceTableTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private static readonly ContractSerializer Serializer =
        new(ContractDescription.Of(typeof(IStreams)), 1024 * 1024, configureTypes: null);

    [Fact]
    public void StreamHandedOverTwice_IsRefused()
    {
        var table = NewTable();
        table.Import(typeof(IAsyncEnumerable<int>), 1, Serializer);
        Assert.Throws<WireException>(() => table.Import(typeof(IAsyncEnumerable<int>), 1, Serializer));
        Assert.Equal(1, table.ImportCount);
    }

    [Fact]
    public void MoreBytesThanCredited_AreAViolation()
    {
        var table = NewTable();
        var stream = (IAsyncEnumerable<int>)table.Import(typeof(IAsyncEnumerable<int>), 1, Serializer);
        var reading = stream.GetAsyncEnumerator().MoveNextAsync().AsTask();
        Handle(table, GlueLimits.StreamWindowBytes);
        Assert.Contains("StreamWindowBytes", Assert.Throws<WireException>(() => Handle(table, 1)).Message);
        Assert.NotNull(reading);
    }

    [Fact]
    public void ReferenceBeyondThoseOfTheMessage_IsRefused()
    {
        var references = IncomingReferences.Read([1, 1, 2, 0xB1], NewTable(), Serializer);
        Assert.Throws<WireException>(() => references.Import(typeof(IListener), 1));
    }

    [Fact]
    public void ItemThatClaimsTooMuch_OrHasNoLength_IsRefused()
    {
        Assert.Contains("above the limit", Assert.Throws<WireException>(() => Cut([0x80, 0x01])).Message);
        byte[] endless = [.. Enumerable.Repeat((byte)0x80, 11)];
        Assert.Contains("64 bits", Assert.Throws<WireException>(() => Cut(endless)).Message);
        Assert.True(Cut([2, 7, 8]));
        Assert.False(Cut([2, 7]));
    }

    [Theory]
    [InlineData(typeof(IAsyncEnumerable<int>))]
    [InlineData(typeof(IListener))]
    [Trait("Case", "glue-61")]
    public async Task GarbageThatWasNamedToItsOwner_IsGivenBack_WhenTheMessageMustHaveCome(Type type)
    {
        var time = new ManualTimeProvider();
        var table = NewTable(time);
        var held = ImportAndReturn(table, type);
        await Eventually.TrueAsync(() => Collect(() => !held.IsAlive), Bound);
        for (var i = 0; i < 5; i++)
        {
            await PassPoolAsync();
            Assert.True(Collect(() => table.ImportCount == 1));
        }

        time.Advance(GlueLimits.ReferenceReturnTime);
        await Eventually.TrueAsync(() => Collect(() => table.ImportCount == 0), Bound);
    }

    private static WeakReference ImportAndReturn(ReferenceTable table, Type type)
    {
        var imported = table.Import(type, 1, Serializer);
        Assert.Equal(1UL, table.Return(imported));
        return new WeakReference(imported);
    }

    private static bool Collect(Func<bool> condition)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        return condition();
    }

    /// <summary>Completes behind what finalizers have left to the pool.</summary>
    private static Task PassPoolAsync()
    {
        var passed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        ThreadPool.UnsafeQueueUserWorkItem(static one => one.SetResult(), passed, preferLocal: false);
        return passed.Task.WaitAsync(Bound);
    }

    private static bool Cut(byte[] piece)
    {
        var cutter = new ItemCutter(itemBytesMax: 100);
        cutter.Add(ArrivedItems.CopyOf(piece));
        return cutter.TryCut(out _);
    }

    private static void Handle(ReferenceTable table, int bytes)
    {
        var envelope = new byte[bytes + 32];
        // An item that is never complete.
        var body = new byte[bytes];
        body[0] = 0x80;
        var head = new EnvelopeHeader { Kind = EnvelopeKind.Items, CallId = 1 }.Write(envelope, bytes);
        body.CopyTo(envelope, head);
        var reader = new WireReader(envelope.AsSpan(0, head + bytes));
        Assert.True(table.TryHandle(Envelope.Read(ref reader)));
    }

    private static ReferenceTable NewTable(TimeProvider? time = null)
    {
        var settings = new ClientSettings(new GlueClientOptions());
        var link = new Link(
            new LinkSettings
            {
                PeerName = "peer",
                Peer = default,
                Secret = default,
                ResumeWindow = TimeSpan.Zero,
                MaxLinkAge = Timeout.InfiniteTimeSpan,
                MaxMessageBytes = 1024 * 1024,
                MaxCallsInFlight = 16,
                ServedCallsMax = 16,
                MaxSendQueueBytes = 1024 * 1024,
                HeartbeatInterval = TimeSpan.FromMinutes(10),
                Time = time ?? TimeProvider.System,
            },
            CallHost.ForCallbacks(new ClientContracts(settings)),
            keep: null);
        return link.References;
    }
}
