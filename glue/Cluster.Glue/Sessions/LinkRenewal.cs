namespace Cluster.Glue.Sessions;

/// <summary>Asks the peer for a fresh link before the token ends that it has shown, so that no call meets an expired
/// one. Stateless.</summary>
internal static class LinkRenewal
{
    /// <summary>How long before the end of a token; half of what is left where that is short.</summary>
    public static readonly TimeSpan Lead = TimeSpan.FromSeconds(30);

    // A token that ends sooner is one of a provider that has no other.
    private static readonly TimeSpan ShortestLead = TimeSpan.FromSeconds(1);

    // What a timer can wait for. Connections are replaced earlier.
    private static readonly TimeSpan WaitMax = TimeSpan.FromDays(40);

    /// <summary>Completes when the link has ended.</summary>
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
