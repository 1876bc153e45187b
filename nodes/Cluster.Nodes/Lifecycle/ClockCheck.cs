using Cluster.Nodes.Configuration;
using Cluster.Nodes.Routing;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Lifecycle;

/// <summary>Compares this machine's clock with those of the active nodes before this node joins. A node whose clock
/// differs from at least half of them by more than the limit does not start. Stateless.</summary>
internal sealed partial class ClockCheck(
    ClusterSettings settings, ITableView view, PeerDirectory peers, TimeProvider time, ILogger<ClockCheck> logger)
{
    /// <summary>The most nodes that are asked.</summary>
    public const int NodeCountMax = 16;

    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(2);

    /// <summary>Compares the clocks.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ClusterStartException">The clocks differ too much.</exception>
    public async Task CheckAsync(CancellationToken cancellationToken)
    {
        var asked = view.Current.Members.Where(member => member.State == MemberState.Active).Take(NodeCountMax);
        var answers =
            await Task.WhenAll(asked.Select(member => AskAsync(member, cancellationToken))).ConfigureAwait(false);
        ClockDifference[] known = [.. answers.OfType<ClockDifference>()];
        ClockDifference[] beyond = [.. known.Where(difference => difference.AtLeast > settings.MaxClockSkew)];
        if (beyond.Length == 0)
            return;
        if (2 * beyond.Length >= known.Length)
            throw Skewed(beyond);
        foreach (var difference in beyond)
            LogNodeDiffers(logger, difference.Member.Node, LogText.Clean(difference.Describe()), settings.MaxClockSkew);
    }

    private async Task<ClockDifference?> AskAsync(ClusterMember member, CancellationToken cancellationToken)
    {
        using var timeout = new CancellationTokenSource(AnswerTimeout, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            var (before, started) = (time.GetUtcNow(), time.GetTimestamp());
            var status = await peers.StatusOf(member).GetAsync(ended.Token).ConfigureAwait(false);
            var half = time.GetElapsedTime(started) / 2;

            // A node of an older version does not report its clock.
            return status.UtcNow == default
                ? null
                : new ClockDifference(member, status.UtcNow - (before + half), half);
        }
        catch (Exception failure)
            when (failure is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // The failure detector decides whether that node still lives.
            LogNotCompared(logger, member.Node, LogText.Clean(failure.Message));
            return null;
        }
    }

    private ClusterStartException Skewed(ClockDifference[] beyond) => new(
        ClusterExitCode.ClockSkewed,
        $"The clock of this machine differs by more than {settings.MaxClockSkew} from those of other nodes: "
        + $"{string.Join("; ", beyond.Select(difference => difference.Describe()))}.",
        "Synchronise the clocks of the machines, for example with NTP, or raise "
        + $"{ClusterOptions.SectionName}:{nameof(ClusterOptions.MaxClockSkew)}.");
}
