using System.Net.Sockets;
using Cluster.Contracts;

namespace Cluster.Nodes.Liveness;

/// <summary>Asks a life port once whether its node still lives. Stateless; safe for concurrent use.</summary>
internal sealed class LifeProbe(TimeProvider time)
{
    internal static readonly TimeSpan DeadlineDefault = TimeSpan.FromSeconds(1);

    /// <summary>How long one question may take, from connecting to the greeting.</summary>
    internal TimeSpan Deadline { get; init; } = DeadlineDefault;

    /// <summary>Connects and reads the greeting, within <see cref="Deadline"/>.</summary>
    /// <param name="address">The life port.</param>
    /// <param name="node">The life that is expected there.</param>
    /// <param name="cancellation">Ends the wait.</param>
    internal async ValueTask<LifeAnswer> AskAsync(LifeAddress address, NodeId node, CancellationToken cancellation)
    {
        using var deadline = new CancellationTokenSource(Deadline, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellation);
        try
        {
            using var client = new TcpClient();
            await client.ConnectAsync(address.Host, address.Port, ended.Token).ConfigureAwait(false);
            return await ReadAsync(client, node, ended.Token).ConfigureAwait(false);
        }
        catch (SocketException failure)
        {
            return failure.SocketErrorCode == SocketError.ConnectionRefused ? LifeAnswer.Refused : LifeAnswer.Silent;
        }
        catch (IOException)
        {
            // The connection broke after it had been accepted; the next probe will tell.
            return LifeAnswer.Silent;
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            return LifeAnswer.Silent;
        }
    }

    private static async ValueTask<LifeAnswer> ReadAsync(TcpClient client, NodeId node, CancellationToken cancellation)
    {
        var greeting = new byte[LifeGreeting.LengthBytes];
        var count = await client.GetStream()
            .ReadAtLeastAsync(greeting, greeting.Length, throwOnEndOfStream: false, cancellation)
            .ConfigureAwait(false);
        var incarnation = LifeGreeting.Decode(greeting.AsSpan(0, count));
        if (incarnation is null) return LifeAnswer.Silent;
        return incarnation == node.Incarnation ? LifeAnswer.Alive : LifeAnswer.OtherIncarnation;
    }
}
