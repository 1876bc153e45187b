namespace Cluster.StateStore.Local;

/// <summary>How a wait for a key ended.</summary>
internal enum KeyGrant
{
    /// <summary>The waiter holds the key and must release it.</summary>
    Granted,

    /// <summary>The partition no longer serves.</summary>
    Refused,

    /// <summary>The waiter's time was over.</summary>
    TimedOut,
}
