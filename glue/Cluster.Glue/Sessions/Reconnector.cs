using System.Net.Sockets;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Substreams;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Sessions;

/// <summary>Keeps one substream of a link that this side opened on a stream: another one follows each that was cut, and
/// a fresh one the one that has grown old, which carries the substream until the fresh one is connected. Lives until
/// the link ends.</summary>
internal sealed class Reconnector(
    Link link, Substream substream, Func<CancellationToken, ValueTask<IMessageStream>> open)
{
    private readonly Backoff _backoff =
        new(TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(500), new Jitter());

    private TimeProvider Time => link.Settings.Time;

    /// <summary>Keeps the substream carried.</summary>
    /// <param name="first">A stream whose peer knows the substream already; null: the first stream is opened
    /// here.</param>
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

    // Anything else may be different over the next stream, also what a proxy answers in the server's place.
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
            // Cut again before both sides had told what they received, or too many came at once: as if it had never
            // been opened.
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
            // Another stream may be answered. This one is given up when nobody reads it any more.
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

    // The link's clock ends the link when this takes too long.
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
                // The process has gone, and what was under way there with it.
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
