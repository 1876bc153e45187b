using System.Net.Sockets;
using Cluster.Contracts.Pacing;
using Cluster.Glue.Substreams;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Sessions;

/// <summary>Keeps one substream of a link on a stream, on the side that opened the link. It opens another stream when
/// the stream was cut, and a fresh one when the stream has grown old; the old stream carries the substream until the
/// fresh one is connected. Lives until the link ends.</summary>
internal sealed class Reconnector(
    Link link, Substream substream, Func<CancellationToken, ValueTask<IMessageStream>> open)
{
    private readonly Backoff _backoff =
        new(TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(500), new Jitter());

    private TimeProvider Time => link.Settings.Time;

    /// <summary>Keeps the substream on streams until the link ends.</summary>
    /// <param name="first">A stream whose peer knows the substream already. Null: this method opens the first
    /// stream.</param>
    public async Task RunAsync(IMessageStream? first)
    {
        var stream = first ?? await OpenAsync().ConfigureAwait(false);
        var carrying = stream is null ? null : CarryAsync(stream, isKnown: first is not null);
        while (carrying is not null)
        {
            await WaitForEndOrAgeAsync(carrying).ConfigureAwait(false);
            var next = link.NeedsStreams ? await OpenAsync().ConfigureAwait(false) : null;
            var nextCarrying = next is null ? null : CarryAsync(next, isKnown: false);
            await carrying.ConfigureAwait(false);
            await stream!.DisposeAsync().ConfigureAwait(false);
            (stream, carrying) = (next, nextCarrying);
        }
    }

    private static bool IsNobodyThere(Exception exception) =>
        exception is HttpRequestException { InnerException: SocketException socket }
            && socket.SocketErrorCode == SocketError.ConnectionRefused;

    // Other failures may not occur on the next stream, also the answer of a proxy in the server's place.
    private static bool IsFinal(Exception exception) =>
        exception is WireException
            or GrpcStatusException
        {
            HttpStatus: null,
            Status: StatusCode.NotFound or StatusCode.InvalidArgument or StatusCode.FailedPrecondition
                    or StatusCode.Unavailable or StatusCode.Unimplemented,
        };

    private async Task CarryAsync(IMessageStream stream, bool isKnown)
    {
        try
        {
            await link.CarryAsync(
                substream,
                stream,
                isKnown ? static _ => new ValueTask<ulong>(0UL) : received => JoinAsync(stream, received))
                .ConfigureAwait(false);
        }
        catch (Exception refusal) when (IsFinal(refusal))
        {
            link.End(GlueErrorCode.LinkLost, $"it cannot be resumed: {refusal.Message}", refusal);
        }
        catch (Exception)
        {
            // The stream was cut before both sides had exchanged their counts, or too many streams were opened at once:
            // pause as after a failed attempt.
            await PauseAsync().ConfigureAwait(false);
        }
    }

    private async ValueTask<ulong> JoinAsync(IMessageStream stream, ulong receivedCount)
    {
        var joining = Handshake.JoinAsync(stream, link.Settings, substream.Role, receivedCount).AsTask();
        try
        {
            var peerReceivedCount = await joining.WaitAsync(link.Settings.JoinTimeout, Time).ConfigureAwait(false);
            _backoff.Reset();
            return peerReceivedCount;
        }
        catch (TimeoutException)
        {
            // The peer may answer on another stream. Abort this one and wait until nobody reads it.
            stream.Abort();
            await ((Task)joining).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }
    }

    private async Task WaitForEndOrAgeAsync(Task carrying)
    {
        using var stop = new CancellationTokenSource();
        var age = Task.Delay(link.Settings.MaxLinkAge, Time, stop.Token);
        await Task.WhenAny(carrying, age).ConfigureAwait(false);
        await stop.CancelAsync().ConfigureAwait(false);
    }

    // The link's clock ends the link when opening takes too long.
    private async Task<IMessageStream?> OpenAsync()
    {
        while (link.NeedsStreams)
        {
            try
            {
                return await open(link.Stopping).ConfigureAwait(false);
            }
            catch (Exception exception) when (IsNobodyThere(exception))
            {
                // The server process is gone, and its running calls with it.
                link.End(GlueErrorCode.LinkLost, exception.Message, exception);
            }
            catch (Exception)
            {
                await PauseAsync().ConfigureAwait(false);
            }
        }

        return null;
    }

    private async Task PauseAsync() =>
        await Task.WhenAny(Task.Delay(_backoff.Next(), Time), link.Ended).ConfigureAwait(false);
}
