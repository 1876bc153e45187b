using System.Security.Cryptography;

namespace Cluster.Glue.Scheduling;

/// <summary>Spreads what many clients would otherwise do at the same moment. Stateless; nothing depends on its
/// values.</summary>
internal static class Jitter
{
    /// <summary>Half to one and a half of the time.</summary>
    public static TimeSpan Of(TimeSpan time) => time * (RandomNumberGenerator.GetInt32(500, 1500) / 1000.0);
}
