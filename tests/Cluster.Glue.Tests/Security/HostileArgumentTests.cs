using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Tests.Semantics;
using Cluster.Slim;

namespace Cluster.Glue.Tests.Security;

/// <summary>Arguments that a peer should not have sent reach a server over a real link: they are refused typed, before
/// anything is made of them and at small cost, and the link goes on.</summary>
[Collection(nameof(RunsAlone))]
public sealed class HostileArgumentTests : IAsyncLifetime
{
    private const long AllocatedBytesMax = 32L * 1024 * 1024;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private GlueHost _host = null!;

    public async Task InitializeAsync() => _host = await ForgedCall.StartServerAsync<Dictionary<Colliding, int>>();

    public async Task DisposeAsync() => await _host.DisposeAsync();

    [Fact]
    [Trait("Case", "glue-99")]
    public async Task TypeOutsideTheList_IsRefused_BeforeAnInstanceIsMade()
    {
        await using var client = Connect(types => types.Allow<Outsider>());
        var outsider = new Outsider();
        var refusal = await CheckRefusedAsync(client, outsider);
        Assert.Contains(nameof(IProbes.TakeAnythingAsync), refusal.Message, StringComparison.Ordinal);
        // An instance made of the message would be finalized some time.
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Assert.Equal(0, Outsider.Finalizations);
        GC.KeepAlive(outsider);
    }

    [Fact]
    [Trait("Case", "glue-100")]
    public async Task CollidingKeys_TenThousand_AreRefused()
    {
        await using var client = Connect(static types =>
        {
            types.Allow<Dictionary<Colliding, int>>();
            // A client of the usual limits would not send it.
            types.Limits.MaxKeyWorkPerByte = int.MaxValue;
        });
        await CheckRefusedAsync(client, Enumerable.Range(0, 10_000).ToDictionary(i => new Colliding(i), i => i));
    }

    [Fact]
    [Trait("Case", "glue-100")]
    public async Task ArrayOfABillion_IsRefusedByItsLength()
    {
        var honest = MessageOf(new byte[200]);
        var at = honest.AsSpan().IndexOf(Frames.Varint(200));
        byte[] forged = [.. honest[..at], .. Frames.Varint(1_000_000_000), .. honest[(at + 2)..]];
        Assert.True(at > 0);
        var before = GC.GetTotalAllocatedBytes(precise: true);
        var reason = await ForgedCall.SendAsync(
            _host.Address,
            "EchoBytesAsync(System.Byte[]):System.Byte[]",
            [typeof(byte[]), typeof(byte[])],
            forged);
        Assert.Contains("cannot rebuild the arguments", reason, StringComparison.Ordinal);
        Assert.InRange(GC.GetTotalAllocatedBytes(precise: true) - before, 0, AllocatedBytesMax);
    }

    [Fact]
    [Trait("Case", "glue-100")]
    public async Task ChainOfAMillionNodes_IsRebuiltOrRefused_WithoutOverflowingAStack()
    {
        await using var client = Connect(static _ => { });
        Node? chain = null;
        for (var i = 0; i < 1_000_000; i++)
            chain = new Node { Next = chain };
        var end = await Record.ExceptionAsync(
            () => client.CreateProxy<IProbes>(_host.Address).TakeAnythingAsync(chain).WaitAsync(Bound));
        Assert.True(end is null or GlueException, $"{end}");
        Assert.Equal("x", await client.CreateProxy<IProbes>(_host.Address).EchoTextAsync("x").WaitAsync(Bound));
    }

    private async Task<GlueException> CheckRefusedAsync(GlueClient client, object argument)
    {
        var probes = client.CreateProxy<IProbes>(_host.Address);
        var refusal =
            await Assert.ThrowsAsync<GlueException>(() => probes.TakeAnythingAsync(argument).WaitAsync(Bound));
        Assert.Equal(
            (GlueErrorCode.ArgumentsNotReadable, GlueDelivery.NotDelivered), (refusal.Code, refusal.Delivery));
        Assert.Equal("x", await probes.EchoTextAsync("x").WaitAsync(Bound));
        return refusal;
    }

    private GlueClient Connect(Action<SlimOptions> allow) => new(new GlueClientOptions
    {
        DefaultDeadline = Bound,
        ConfigureTypes = types =>
        {
            GlueHost.AllowTypes(types);
            types.Allow<Node>();
            allow(types);
        },
    });

    private static byte[] MessageOf<T>(T value)
    {
        var slim = new SlimSerializer(new SlimOptions { Schema = SlimSchema.Known }.Allow<byte[]>());
        return slim.Serialize(value);
    }

    /// <summary>On the client's list only.</summary>
    public sealed class Outsider
    {
        private static int _finalizations;

        ~Outsider() => Interlocked.Increment(ref _finalizations);

        public static int Finalizations => Volatile.Read(ref _finalizations);

        public int Value { get; set; } = 1;
    }

    /// <summary>A key whose equals all have one hash code.</summary>
    public readonly record struct Colliding(int Value)
    {
        public override int GetHashCode() => 1;
    }
}
