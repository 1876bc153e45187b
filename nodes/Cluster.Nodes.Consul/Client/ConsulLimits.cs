namespace Cluster.Nodes.Consul.Client;

/// <summary>The deadlines and bounds of all communication with Consul. Constants.</summary>
internal static class ConsulLimits
{
    /// <summary>The deadline of a heartbeat, which is due every second.</summary>
    public static readonly TimeSpan BeatDeadline = TimeSpan.FromSeconds(1);

    /// <summary>The deadline of all other calls but polls, retries included.</summary>
    public static readonly TimeSpan CallDeadline = TimeSpan.FromSeconds(2);

    /// <summary>How long Consul may hold a poll.</summary>
    public static readonly TimeSpan PollWait = TimeSpan.FromSeconds(30);

    /// <summary>The deadline of a poll: Consul itself stretches the wait by up to a sixteenth.</summary>
    public static readonly TimeSpan PollDeadline = PollWait + (PollWait / 16) + TimeSpan.FromSeconds(5);

    /// <summary>How long a connection may take to open.</summary>
    public static readonly TimeSpan ConnectDeadline = TimeSpan.FromSeconds(1);

    /// <summary>How long a connection is used before it is opened anew, so that a changed name resolution is
    /// noticed.</summary>
    public static readonly TimeSpan ConnectionAgeMax = TimeSpan.FromMinutes(5);

    /// <summary>The pause before the second attempt within a deadline; it doubles.</summary>
    public static readonly TimeSpan RetryDelayMin = TimeSpan.FromMilliseconds(50);

    /// <summary>The longest pause between attempts within a deadline.</summary>
    public static readonly TimeSpan RetryDelayMax = TimeSpan.FromMilliseconds(500);

    /// <summary>The pause before a poll that follows a failed one; it doubles.</summary>
    public static readonly TimeSpan PollDelayMin = TimeSpan.FromMilliseconds(100);

    /// <summary>The longest pause between failed polls.</summary>
    public static readonly TimeSpan PollDelayMax = TimeSpan.FromSeconds(5);

    /// <summary>The longest pause before registering again, so that not all nodes of a restarted agent come at
    /// once.</summary>
    public static readonly TimeSpan RegisterJitterMax = TimeSpan.FromMilliseconds(500);

    /// <summary>How long Consul may be without a leader before that is worth a warning.</summary>
    public static readonly TimeSpan LeaderlessTolerance = TimeSpan.FromSeconds(5);

    /// <summary>How long one heartbeat keeps a check healthy.</summary>
    public static readonly TimeSpan CheckTimeToLive = TimeSpan.FromSeconds(5);

    /// <summary>When Consul forgets a service without heartbeats. Consul takes a minute at least.</summary>
    public const string ForgottenAfter = "1m";

    /// <summary>The largest transaction that Consul takes, in bytes of JSON.</summary>
    public const int TransactionBytesMax = 512 * 1024;

    /// <summary>The largest answer that is read.</summary>
    public const int ReplyBytesMax = 4 * 1024 * 1024;

    /// <summary>How many characters of an unexpected answer a message quotes.</summary>
    public const int QuoteLengthMax = 200;

    /// <summary>How many short calls run at a time.</summary>
    public const int ShortConnectionsMax = 4;

    /// <summary>How many polls run at a time.</summary>
    public const int PollConnectionsMax = 2;

    /// <summary>How many polls may follow one another without a pause.</summary>
    public const int PollBurst = 5;

    /// <summary>How many polls a second are allowed in the long run.</summary>
    public const int PollsPerSecond = 10;

    /// <summary>The most sessions that could not be ended and are remembered for another attempt.</summary>
    public const int AbandonedSessionsMax = 16;
}
