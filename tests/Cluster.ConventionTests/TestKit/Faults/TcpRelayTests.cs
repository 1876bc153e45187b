using System.Net.Sockets;
using Cluster.Testing;
using Cluster.Testing.Faults;

namespace Cluster.ConventionTests.TestKit.Faults;

/// <summary>What a relay does with bytes and connections. The server sends back what it receives.</summary>
public sealed class TcpRelayTests : IAsyncDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Silence = TimeSpan.FromMilliseconds(200);
    private static readonly byte[] Question = [1, 2, 3];

    private readonly LoopbackListener _server = new(EchoAsync);
    private readonly TcpRelay _relay;

    public TcpRelayTests() => _relay = new TcpRelay(FreePorts.Next(), new Uri(_server.Address).Port);

    public async ValueTask DisposeAsync()
    {
        await _relay.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task Bytes_PassUnchangedInBothDirections()
    {
        using var client = await ConnectAsync();
        Assert.Equal(Question, await AskAsync(client));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Bytes_OfAStalledDirection_ComeWhenItIsOpenAgain(bool isToTarget)
    {
        using var client = await ConnectAsync();
        await AskAsync(client);
        var flow = isToTarget ? _relay.ToTarget : _relay.FromTarget;
        flow.Stall();
        var answer = AskAsync(client);
        await Assert.ThrowsAsync<TimeoutException>(() => answer.WaitAsync(Silence));
        flow.Open();
        Assert.Equal(Question, await answer);
    }

    [Fact]
    public async Task Connection_MadeDuringAStall_WaitsForTheServer()
    {
        _relay.FromTarget.Stall();
        using var client = await ConnectAsync();
        var answer = AskAsync(client);
        await Assert.ThrowsAsync<TimeoutException>(() => answer.WaitAsync(Silence));
        _relay.FromTarget.Open();
        Assert.Equal(Question, await answer);
    }

    [Fact]
    public async Task Close_EndsConnectionsAndRefusesNewOnes_UntilItListensAgain()
    {
        using var client = await ConnectAsync();
        await AskAsync(client);
        _relay.Close();
        await Assert.ThrowsAnyAsync<Exception>(() => AskAsync(client));
        var refused = await Assert.ThrowsAsync<SocketException>(ConnectAsync);
        Assert.Equal(SocketError.ConnectionRefused, refused.SocketErrorCode);
        _relay.Listen();
        using var next = await ConnectAsync();
        Assert.Equal(Question, await AskAsync(next));
    }

    [Fact]
    public async Task Damage_OfEveryChunk_ChangesOneBitInEachDirection()
    {
        using var client = await ConnectAsync();
        _relay.ToTarget.Damage(100);
        Assert.NotEqual(Question, await AskAsync(client));
        _relay.ToTarget.Damage(0);
        Assert.Equal(Question, await AskAsync(client));
    }

    private async Task<TcpClient> ConnectAsync()
    {
        var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, _relay.Port).WaitAsync(Bound);
        return client;
    }

    private static async Task<byte[]> AskAsync(TcpClient client)
    {
        var stream = client.GetStream();
        await stream.WriteAsync(Question);
        var answer = new byte[Question.Length];
        await stream.ReadExactlyAsync(answer).AsTask().WaitAsync(Bound);
        return answer;
    }

    private static async Task EchoAsync(Socket socket, CancellationToken cancellationToken)
    {
        using var own = socket;
        try
        {
            var buffer = new byte[100];
            for (int count; (count = await own.ReceiveAsync(buffer, cancellationToken)) > 0;)
                await own.SendAsync(buffer.AsMemory(0, count), cancellationToken);
        }
        catch (Exception failure) when (failure is SocketException or OperationCanceledException)
        {
            // The end of the test or of the connection.
        }
    }
}
