using Cluster.Glue.Authorization;
using Cluster.Glue.Sessions;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Endpoints;

/// <summary>The handshake of one accepted stream, within its time limit. When it gives the stream up, no code reads or
/// writes there any more. Lives for the handshake.</summary>
internal sealed class AcceptedHandshake(ServerRuntime server, IMessageStream stream, LinkOrigin origin)
{
    /// <summary>Opens a link, or finds the one that the stream joins.</summary>
    /// <param name="taken">Completes when another stream needs the place of this one.</param>
    /// <param name="cancellationToken">Cancelled when the peer has gone.</param>
    /// <returns>The link, and the join request where the stream joins one.</returns>
    /// <exception cref="GrpcStatusException">The stream is refused.</exception>
    public async Task<(Link Link, JoinRequest? Join)> RunAsync(Task taken, CancellationToken cancellationToken)
    {
        var shaking = ShakeAsync();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var late = Task.Delay(server.Settings.HandshakeTimeout, server.Settings.Time, stop.Token);
        if (await Task.WhenAny(shaking, late, taken).ConfigureAwait(false) == shaking)
        {
            await stop.CancelAsync().ConfigureAwait(false);
            return await shaking.ConfigureAwait(false);
        }

        await stop.CancelAsync().ConfigureAwait(false);
        await GiveUpAsync(shaking).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        if (taken.IsCompleted)
        {
            throw new GrpcStatusException(
                StatusCode.ResourceExhausted,
                "others needed the place, because many connections are shaking hands (MaxUnauthenticatedConnections, "
                + "MaxHandshakesPerAddress); come again");
        }

        throw new GrpcStatusException(
            StatusCode.DeadlineExceeded,
            $"no Hello within HandshakeTimeout ({server.Settings.HandshakeTimeout.TotalSeconds:0.##} s)");
    }

    private async Task<(Link Link, JoinRequest? Join)> ShakeAsync()
    {
        var first = await Handshake.ReceiveAsync(stream).ConfigureAwait(false);
        return first.Join is { } join
            ? (Find(join, await origin.Caller.ConfigureAwait(false)), join)
            : (await LinkAcceptor.OpenAsync(server, stream, origin, first).ConfigureAwait(false), null);
    }

    private Link Find(JoinRequest join, CallerIdentity caller)
    {
        if (server.Find(join.Link) is not { IsAlive: true } link)
        {
            throw new GrpcStatusException(
                StatusCode.NotFound, "this server has no such link: it has ended, or another process opened it");
        }

        if (link.Settings.Key is { } key && !key.Accepts(join))
            throw Handshake.Unproven("the stream has not proven that it belongs to the link");
        if (link.Settings.Caller.Key == caller.Key)
            return link;
        // A token that is not accepted may be followed by a fresh one of the same user.
        if (caller.Problem is { } problem)
            throw Handshake.Unproven($"the stream does not show the user of its link: {problem}");
        throw new GrpcStatusException(
            StatusCode.FailedPrecondition,
            "the stream shows another user than its link; open a link for each user, or give calls tokens of their own "
            + "(GlueCall.WithBearerToken)");
    }

    // The end of the stream releases its buffer, so its reading has to end before.
    private async Task GiveUpAsync(Task<(Link Link, JoinRequest? Join)> shaking)
    {
        await stream.CompleteAsync().ConfigureAwait(false);
        var waitBudget = Task.Delay(GlueLimits.LingerTime, server.Settings.Time);
        if (await Task.WhenAny(shaking, waitBudget).ConfigureAwait(false) != shaking)
            stream.Abort();
        await ((Task)shaking).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (shaking is { IsCompletedSuccessfully: true, Result.Join: null })
            shaking.Result.Link.End(GlueErrorCode.HandshakeRefused, "its handshake came too late");
    }
}
