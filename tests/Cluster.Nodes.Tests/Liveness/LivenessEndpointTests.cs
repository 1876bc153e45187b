using System.Net.Sockets;
using Cluster.Glue;
using Cluster.Nodes.Liveness;
using Cluster.Testing;

namespace Cluster.Nodes.Tests.Liveness;

[Collection(HandleTests.Name)]
public sealed class LivenessEndpointTests
{
    private readonly NodeId _self = NodeId.NewIncarnation("n1");

    // Most tests here are not about the probe's deadline, and a busy machine may need longer than the default.
    private readonly LivenessProbe _probe = new(TimeProvider.System, new GlueClient()) { Deadline = TimeSpan.FromMinutes(1) };

    [Fact]
    public async Task Port_Open_AnswersForItsOwnLifeOnly()
    {
        using var port = LivenessEndpoint.Open(_self, "127.0.0.1", 0);
        Assert.Equal(LivenessAnswer.Alive, await AskAsync(port.Address, _self));
        Assert.Equal(LivenessAnswer.OtherIncarnation, await AskAsync(port.Address, NodeId.NewIncarnation("n1")));
    }

    [Fact]
    public async Task Port_Closed_Refuses()
    {
        var port = LivenessEndpoint.Open(_self, "127.0.0.1", FreePorts.Next());
        port.Dispose();
        port.Dispose();
        Assert.Equal(LivenessAnswer.Refused, await AskAsync(port.Address, _self));
    }

    [Fact]
    public async Task Port_ManyProbesAtOnce_AllAnswered()
    {
        using var port = LivenessEndpoint.Open(_self, "127.0.0.1", 0);
        var answers = await Task.WhenAll(Enumerable.Range(0, 100).Select(_ => AskAsync(port.Address, _self)));
        Assert.All(answers, answer => Assert.Equal(LivenessAnswer.Alive, answer));
    }

    [Fact]
    public async Task Port_ProbeThatHangsUp_DoesNotDisturbTheNext()
    {
        using var port = LivenessEndpoint.Open(_self, "127.0.0.1", 0);
        // The maximum number of waiting connections. If the endpoint paused a tenth of a second after each, the
        // deadline below would pass.
        for (var attempt = 0; attempt < 500; attempt++)
        {
            using var rude = new TcpClient { LingerState = new LingerOption(true, 0) };
            await rude.ConnectAsync(IPAddress.Loopback, port.Address.Port);
        }

        var probe = new LivenessProbe(TimeProvider.System, new GlueClient()) { Deadline = TimeSpan.FromSeconds(30) };
        Assert.Equal(LivenessAnswer.Alive, await probe.AskAsync(port.Address, _self, isEncrypted: false, CancellationToken.None));
    }

    [Fact]
    public void Port_Taken_Throws()
    {
        using var port = LivenessEndpoint.Open(_self, "127.0.0.1", 0);
        var failure = Assert.Throws<SocketException>(() => LivenessEndpoint.Open(_self, "127.0.0.1", port.Address.Port));
        Assert.Equal(SocketError.AddressAlreadyInUse, failure.SocketErrorCode);
    }

    [Fact]
    public async Task Probe_ListenerThatNeverAnswers_IsSilentWithinItsDeadline()
    {
        // This looks like a paused process: the kernel accepts the connection, but nothing answers.
        using var paused = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        paused.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        paused.Listen();
        var address = new LivenessAddress("127.0.0.1", ((IPEndPoint)paused.LocalEndPoint!).Port, "");
        var time = new ManualTimeProvider();
        var asking = new LivenessProbe(time, new GlueClient()).AskAsync(address, _self, isEncrypted: false, CancellationToken.None).AsTask();
        Assert.False(asking.IsCompleted);
        time.Advance(LivenessProbe.DefaultDeadline);
        var answer = await asking.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(LivenessAnswer.Silent, answer);
    }

    [Fact]
    public async Task Probe_SomebodyElsesProtocol_IsSilent()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        var answering = AskAsync(new LivenessAddress("127.0.0.1", ((IPEndPoint)other.LocalEndpoint).Port, ""), _self);
        using (var connection = await other.AcceptTcpClientAsync())
            await connection.GetStream().WriteAsync("HTTP/1.1 400 Bad Request\r\n\r\n"u8.ToArray());

        Assert.Equal(LivenessAnswer.Silent, await answering);
    }

    private async Task<LivenessAnswer> AskAsync(LivenessAddress address, NodeId node) =>
        await _probe.AskAsync(address, node, isEncrypted: false, CancellationToken.None);
}
