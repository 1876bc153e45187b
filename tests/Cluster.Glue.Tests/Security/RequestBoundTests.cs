using Cluster.Glue.Scheduling;
using Cluster.Glue.Sessions;
using Cluster.Glue.Settings;
using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Tests.Sessions;
using Cluster.Glue.Tests.Wire;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Security;

/// <summary>What peers may make a server hold before their requests are complete: bounded in time and bytes, for each
/// connection and for all, with errors that name the option. Others are served meanwhile.</summary>
[WithCanaryArrays]
public sealed class RequestBoundTests
{
    private const int MessageBytes = 64 * 1024;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    [Trait("Case", "repair-A2")]
    [Trait("Case", "experience-M4")]
    public async Task Request_ThatIsNeverComplete_IsEndedInTime_AndCostsNothingAfterwards()
    {
        var time = new ManualTimeProvider();
        await using var host = await PeerHosts.StartAsync(null, options => options.TimeProvider = time);
        using var half = new HalfRequest(host.Address, OneByteShort(), GlueWire.CallPath);
        await Eventually.TrueAsync(() => ReceivingOf(host).Taken == OneByteShort().Length, Bound);
        var answer = half.ReceiveAsync();
        // The server counts the bytes before it starts the timer, so one advance could come too early.
        await Eventually.TrueAsync(
            () =>
            {
                time.Advance(TimeSpan.FromSeconds(31));
                return answer.IsCompleted;
            },
            Bound);
        var fault = TextOf(await answer);
        Assert.Contains("RequestReceiveTimeout", fault, StringComparison.Ordinal);
        await Eventually.TrueAsync(() => ReceivingOf(host).Taken == 0, Bound);
    }

    [Fact]
    [Trait("Case", "repair-A2")]
    public async Task Requests_OfOneConnection_HoldNoMoreThanItsBudget_AndOthersAreServed()
    {
        await using var host = await PeerHosts.StartAsync(null, options =>
        {
            options.MaxMessageBytes = MessageBytes;
            options.MaxReceivingBytesPerConnection = 4 * MessageBytes;
        });
        using var shared = new HttpMessageInvoker(new SocketsHttpHandler());
        HalfRequest[] halves = [.. Enumerable.Range(0, 20).Select(
            _ => new HalfRequest(host.Address, OneByteShort(), GlueWire.CallPath, shared))];
        Task<RecordedEnvelope?>[] answers = [.. halves.Select(half => half.ReceiveAsync())];
        await Eventually.TrueAsync(() => answers.Count(answer => answer.IsCompleted) >= 16, Bound);
        Assert.InRange(ReceivingOf(host).Taken, 0, 4 * MessageBytes);
        // How many are left depends on how their bytes came in turn; the last of them has room for sure.
        await Eventually.TrueAsync(() => ReceivingOf(host).Taken >= OneByteShort().Length, Bound);
        var fault = TextOf(await answers.First(answer => answer.IsCompleted));
        Assert.Contains("MaxReceivingBytesPerConnection", fault, StringComparison.Ordinal);
        await CheckServesAsync(host);
        foreach (var half in halves)
            half.Dispose();
        await Eventually.TrueAsync(() => ReceivingOf(host).Taken == 0, Bound);
    }

    [Fact]
    [Trait("Case", "repair-A2")]
    public async Task Requests_OfAllConnections_HoldNoMoreThanTheServersBudget()
    {
        await using var host = await PeerHosts.StartAsync(null, options =>
        {
            options.MaxMessageBytes = MessageBytes;
            options.MaxReceivingBytes = 4 * MessageBytes;
        });
        HalfRequest[] halves = [.. Enumerable.Range(0, 8).Select(
            _ => new HalfRequest(host.Address, OneByteShort(), GlueWire.CallPath))];
        Task<RecordedEnvelope?>[] answers = [.. halves.Select(half => half.ReceiveAsync())];
        await Eventually.TrueAsync(() => answers.Count(answer => answer.IsCompleted) >= 4, Bound);
        Assert.InRange(ReceivingOf(host).Taken, 0, 4 * MessageBytes);
        var fault = TextOf(await answers.First(answer => answer.IsCompleted));
        Assert.Contains("(MaxReceivingBytes of the server)", fault, StringComparison.Ordinal);
        foreach (var half in halves)
            half.Dispose();
        await Eventually.TrueAsync(() => ReceivingOf(host).Taken == 0, Bound);
        await CheckServesAsync(host);
    }

    [Fact]
    [Trait("Case", "repair-A2")]
    public async Task OneWayCalls_ThatWait_AreBounded_AndFurtherOnesRefusedTyped()
    {
        var slow = new SlowDuties();
        await using var host = await GlueHost.StartAsync(
            options => options.MaxQueuedOneWayCalls = 3,
            glue =>
            {
                glue.Services.AddSingleton(slow);
                glue.AddService<ISlowDuties, SlowDuties>(GlueInstanceMode.Singleton);
            });
        await using var client = PeerHosts.Connect(null, options => options.Transport = GlueTransport.Unary);
        var duties = client.CreateProxy<ISlowDuties>(host.Address);
        for (var i = 0; i < 3; i++)
            await duties.NoteAsync("x").WaitAsync(Bound);
        Assert.NotEqual(0, ReceivingOf(host).Taken);
        var refusal = await Assert.ThrowsAsync<GlueException>(() => duties.NoteAsync("x").WaitAsync(Bound));
        Assert.Equal(
            (GlueErrorKind.Overloaded, GlueDelivery.NotDelivered, GlueErrorCode.ServerOverloaded),
            (refusal.Kind, refusal.Delivery, refusal.Code));
        Assert.Contains("MaxQueuedOneWayCalls", refusal.Message, StringComparison.Ordinal);
        slow.Release();
        await Eventually.TrueAsync(() => ReceivingOf(host).Taken == 0, Bound);
        await duties.NoteAsync("x").WaitAsync(Bound);
    }

    /// <summary>A request that gRPC refuses before the method gives its bytes back, too.</summary>
    [Theory]
    [Trait("Case", "repair-A2")]
    [InlineData("application/grpc", "gzip", 1)]
    [InlineData("text/plain", null, 0)]
    public async Task Request_ThatGrpcRefuses_CostsNothingAfterwards(string type, string? encoding, byte flag)
    {
        await using var host = await PeerHosts.StartAsync(null);
        using var raw = new RawLink(host.Address);
        var frame = RawGrpc.OfMessage(new byte[1000], flag);
        for (var round = 0; round < 3; round++)
            await Record.ExceptionAsync(() => raw.SendAsync(frame, GlueWire.CallPath, type, encoding));
        await Eventually.TrueAsync(() => ReceivingOf(host).Taken == 0, Bound);
    }

    [Fact]
    [Trait("Case", "repair-A2")]
    public async Task Connections_AreBounded_AndFurtherOnesRefusedTyped()
    {
        await using var host = await PeerHosts.StartAsync(null, options => options.MaxConnections = 1);
        // Without resumption a link has one connection.
        await using var second = Connect(TimeSpan.FromSeconds(2));
        await using (var first = Connect(Bound))
        {
            Assert.False(await first.CreateProxy<IPublicDuties>(host.Address).IsFromPeerAsync().WaitAsync(Bound));
            var refusal = await Assert.ThrowsAsync<GlueException>(
                () => second.CreateProxy<IPublicDuties>(host.Address).IsFromPeerAsync().WaitAsync(Bound));
            Assert.Equal(
                (GlueErrorKind.Overloaded, GlueDelivery.NotDelivered, GlueErrorCode.ServerOverloaded),
                (refusal.Kind, refusal.Delivery, refusal.Code));
            Assert.Contains("MaxConnections", refusal.Message, StringComparison.Ordinal);
        }

        await using var third = Connect(Bound);
        Assert.False(await third.CreateProxy<IPublicDuties>(host.Address).IsFromPeerAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "repair-A2")]
    public void Options_OutOfRange_AreNamed()
    {
        var problems = string.Join('\n', GlueServerOptionsValidator.ProblemsOf(new GlueServerOptions
        {
            MaxConnections = 0,
            MaxHandshakesPerAddress = 0,
            MaxHandshakesPerConnection = 0,
            MaxQueuedOneWayCalls = 0,
            RequestReceiveTimeout = TimeSpan.Zero,
            MaxReceivingBytes = long.MaxValue,
            MaxReceivingBytesPerConnection = long.MaxValue,
        }));
        string[] names =
        [
            "MaxConnections", "MaxHandshakesPerAddress", "MaxHandshakesPerConnection", "MaxQueuedOneWayCalls",
            "RequestReceiveTimeout", "MaxReceivingBytes", "MaxReceivingBytesPerConnection",
        ];
        Assert.All(names, name => Assert.Contains($"Glue:Server:{name} is", problems, StringComparison.Ordinal));
    }

    private static GlueClient Connect(TimeSpan connectTimeout) => PeerHosts.Connect(null, options =>
    {
        options.ConnectTimeout = connectTimeout;
        options.ResumeWindow = TimeSpan.Zero;
    });

    private static ByteBudget ReceivingOf(GlueHost host) => host.Services.GetRequiredService<ServerRuntime>().Receiving;

    private static async Task CheckServesAsync(GlueHost host)
    {
        await using var client = PeerHosts.Connect(null, options => options.Transport = GlueTransport.Unary);
        Assert.False(await client.CreateProxy<IPublicDuties>(host.Address).IsFromPeerAsync().WaitAsync(Bound));
    }

    private static string TextOf(RecordedEnvelope? fault)
    {
        Assert.Equal(EnvelopeKind.Fault, fault!.Kind);
        return Encoding.UTF8.GetString(fault.Body);
    }

    private static byte[] OneByteShort() => Frames.OfPayload(new byte[MessageBytes - 100])[..^1];
}

/// <summary>One-way calls that last.</summary>
public interface ISlowDuties
{
    /// <summary>Lasts until it is released.</summary>
    [OneWay]
    Task NoteAsync(string text);
}

/// <summary>Holds its calls until it is released. Its task protects itself.</summary>
public sealed class SlowDuties : ISlowDuties
{
    private readonly TaskCompletionSource _release = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Lets all calls end.</summary>
    public void Release() => _release.TrySetResult();

    public Task NoteAsync(string text) => _release.Task;
}
