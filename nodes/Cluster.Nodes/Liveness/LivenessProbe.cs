using System.Net.Sockets;
using System.Security.Authentication;
using Cluster.Glue;

namespace Cluster.Nodes.Liveness;

/// <summary>Asks a liveness endpoint once whether its node still lives. Stateless; safe for concurrent use.</summary>
/// <param name="time">The clock of the deadline.</param>
/// <param name="client">The client whose certificates are used where a liveness endpoint uses TLS.</param>
/// <param name="detour">Where connections go instead; null: to the endpoints themselves.</param>
internal sealed class LivenessProbe(TimeProvider time, GlueClient client, LivenessDetour? detour = null)
{
    public static readonly TimeSpan DefaultDeadline = TimeSpan.FromSeconds(1);

    private readonly LivenessDetour _detour = detour ?? LivenessDetour.None;

    /// <summary>The time limit of one question: connection, handshake and greeting.</summary>
    public TimeSpan Deadline { get; init; } = DefaultDeadline;

    /// <summary>Connects and reads the greeting, within <see cref="Deadline"/>.</summary>
    /// <param name="address">The liveness endpoint.</param>
    /// <param name="node">The incarnation that is expected there.</param>
    /// <param name="isEncrypted">Whether it uses TLS.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async ValueTask<LivenessAnswer> AskAsync(
        LivenessAddress address, NodeId node, bool isEncrypted, CancellationToken cancellationToken)
    {
        using var deadline = new CancellationTokenSource(Deadline, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellationToken);
        try
        {
            using var connection = new TcpClient();
            var place = _detour.Find(address);
            await connection.ConnectAsync(place.Host, place.Port, ended.Token).ConfigureAwait(false);
            Stream stream = connection.GetStream();
            if (isEncrypted)
                stream = await client.AuthenticateAsync(stream, address.Host, ended.Token).ConfigureAwait(false);
            return await ReadAsync(stream, node, ended.Token).ConfigureAwait(false);
        }
        catch (AuthenticationException)
        {
            return LivenessAnswer.NotTrusted;
        }
        catch (SocketException failure)
        {
            return failure.SocketErrorCode == SocketError.ConnectionRefused
                ? LivenessAnswer.Refused
                : LivenessAnswer.Silent;
        }
        catch (IOException)
        {
            // The connection broke after it had been accepted; the next probe will show more.
            return LivenessAnswer.Silent;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return LivenessAnswer.Silent;
        }
    }

    private static async ValueTask<LivenessAnswer> ReadAsync(
        Stream stream, NodeId node, CancellationToken cancellationToken)
    {
        var greeting = new byte[LivenessGreeting.LengthBytes];
        var count = await stream
            .ReadAtLeastAsync(greeting, greeting.Length, throwOnEndOfStream: false, cancellationToken)
            .ConfigureAwait(false);
        var incarnation = LivenessGreeting.Decode(greeting.AsSpan(0, count));
        if (incarnation is null)
            return LivenessAnswer.Silent;
        return incarnation == node.Incarnation ? LivenessAnswer.Alive : LivenessAnswer.OtherIncarnation;
    }
}
