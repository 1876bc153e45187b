namespace Cluster.Nodes.Consul.Client;

/// <summary>The deadlines and bounds of all talk with Consul. Constants.</summary>
internal static class ConsulLimits
{
    /// <summary>The deadline of a beat: it is due every second.</summary>
    internal static readonly TimeSpan BeatDeadline = TimeSpan.FromSeconds(1);

    /// <summary>The deadline of everything else but polls, retries included.</summary>
    internal static readonly TimeSpan CallDeadline = TimeSpan.FromSeconds(2);

    /// <summary>How long Consul may hold a poll.</summary>
    internal static readonly TimeSpan PollWait = TimeSpan.FromSeconds(30);

    /// <summary>The deadline of a poll: Consul itself stretches the wait by up to a sixteenth.</summary>
    internal static readonly TimeSpan PollDeadline = PollWait + (PollWait / 16) + TimeSpan.FromSeconds(5);

    /// <summary>How long a connection may take to open.</summary>
    internal static readonly TimeSpan ConnectDeadline = TimeSpan.FromSeconds(1);

    /// <summary>How long a connection is used, so that a changed name resolution is noticed.</summary>
    internal static readonly TimeSpan ConnectionAgeMax = TimeSpan.FromMinutes(5);

    /// <summary>The pause before the second attempt within a deadline; it doubles.</summary>
    internal static readonly TimeSpan RetryDelayMin = TimeSpan.FromMilliseconds(50);

    /// <summary>The longest pause between attempts within a deadline.</summary>
    internal static readonly TimeSpan RetryDelayMax = TimeSpan.FromMilliseconds(500);

    /// <summary>The pause before a poll that follows a failed one; it doubles.</summary>
    internal static readonly TimeSpan PollDelayMin = TimeSpan.FromMilliseconds(100);

    /// <summary>The longest pause between failed polls.</summary>
    internal static readonly TimeSpan PollDelayMax = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The longest pause before registering again, so that not all nodes of a restarted agent come at once.
    /// </summary>
    internal static readonly TimeSpan RegisterJitterMax = TimeSpan.FromMilliseconds(500);

    /// <summary>How long Consul may be without a leader before that is worth a warning.</summary>
    internal static readonly TimeSpan LeaderlessTolerance = TimeSpan.FromSeconds(5);

    /// <summary>How long a beat lasts.</summary>
    internal static readonly TimeSpan CheckTimeToLive = TimeSpan.FromSeconds(5);

    /// <summary>When Consul forgets a service that is beaten no more; Consul takes a minute at least.</summary>
    internal const string ForgottenAfter = "1m";

    /// <summary>The largest transaction that Consul takes, in bytes of JSON.</summary>
    internal const int TransactionBytesMax = 512 * 1024;

    /// <summary>The largest answer that is read.</summary>
    internal const int ReplyBytesMax = 4 * 1024 * 1024;

    /// <summary>How many characters of an unexpected answer a message quotes.</summary>
    internal const int QuoteLengthMax = 200;

    /// <summary>How many short calls run at a time.</summary>
    internal const int ShortConnectionsMax = 4;

    /// <summary>How many polls run at a time.</summary>
    internal const int PollConnectionsMax = 2;

    /// <summary>How many polls may follow one another without a pause.</summary>
    internal const int PollBurst = 5;

    /// <summary>How many polls a second are allowed in the long run.</summary>
    internal const int PollsPerSecond = 10;

    /// <summary>How many sessions that could not be ended are remembered for another attempt.</summary>
    internal const int AbandonedSessionsMax = 16;
}
