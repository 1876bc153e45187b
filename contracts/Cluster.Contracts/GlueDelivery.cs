namespace Cluster.Contracts;

/// <summary>How far a failed call got. It decides whether repeating the call could run the method twice.</summary>
public enum GlueDelivery
{
    /// <summary>The method did not run and will not run: repeating is safe.</summary>
    NotDelivered = 1,

    /// <summary>Nobody knows whether the method ran: repeat only what is idempotent.</summary>
    Unknown = 2,

    /// <summary>The method ran to its end; only its result was lost.</summary>
    Executed = 3,
}
