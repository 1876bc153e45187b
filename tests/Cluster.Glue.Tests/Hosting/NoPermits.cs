using System.Threading.RateLimiting;

namespace Cluster.Glue.Tests.Hosting;

/// <summary>A rate limiter that refuses everything.</summary>
internal sealed class NoPermits : RateLimiter
{
    public override TimeSpan? IdleDuration => null;

    public override RateLimiterStatistics? GetStatistics() => null;

    protected override ValueTask<RateLimitLease> AcquireAsyncCore(
        int permitCount, CancellationToken cancellationToken) =>
        ValueTask.FromResult(AttemptAcquireCore(permitCount));

    protected override RateLimitLease AttemptAcquireCore(int permitCount) => new Refusal();

    private sealed class Refusal : RateLimitLease
    {
        public override bool IsAcquired => false;

        public override IEnumerable<string> MetadataNames => [];

        public override bool TryGetMetadata(string metadataName, out object? metadata)
        {
            metadata = null;
            return false;
        }
    }
}
