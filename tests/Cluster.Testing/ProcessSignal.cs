namespace Cluster.Testing;

/// <summary>The signals that a test sends to its child processes, with their Linux numbers.</summary>
public enum ProcessSignal
{
    /// <summary>SIGHUP: many programs read their configuration again.</summary>
    Hangup = 1,

    /// <summary>SIGINT: sent by Ctrl+C.</summary>
    Interrupt = 2,

    /// <summary>SIGKILL: ends the process at once.</summary>
    Kill = 9,

    /// <summary>SIGUSR2: each program defines its meaning.</summary>
    User2 = 12,

    /// <summary>SIGTERM: asks the process to end.</summary>
    Terminate = 15,

    /// <summary>SIGCONT: lets a stopped process run again.</summary>
    Resume = 18,

    /// <summary>SIGSTOP: freezes the process.</summary>
    Pause = 19,
}
