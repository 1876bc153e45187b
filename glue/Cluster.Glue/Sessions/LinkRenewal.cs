namespace Cluster.Glue.Sessions;

/// <summary>Asks the peer for a fresh link before the peer's token expires, so that no call meets an expired token.
/// Stateless.</summary>
internal static class LinkRenewal
{
    /// <summary>How long before the token expires the peer is asked. If less time than that is left, half of
    /// it.</summary>
    public static readonly TimeSpan Lead = TimeSpan.FromSeconds(30);

    // If a token expires sooner than that, its provider has no newer one.
    private static readonly TimeSpan ShortestLead = TimeSpan.FromSeconds(1);

    // The longest time that a timer can wait. Connections are replaced earlier.
    private static readonly TimeSpan WaitMax = TimeSpan.FromDays(40);

    public static async Task WaitForEndAsync(Link link)
    {
        var time = link.Settings.Time;
        var left = link.Settings.Caller.ExpiresAt - time.GetUtcNow();
        if (left is { } known && known > 2 * ShortestLead && known < WaitMax)
        {
            var lead = known > 2 * Lead ? Lead : known / 2;
            await Task.WhenAny(link.Ended, Task.Delay(known - lead, time, link.Stopping)).ConfigureAwait(false);
            if (link.IsAlive)
                link.Retire();
        }

        await link.Ended.ConfigureAwait(false);
    }
}
