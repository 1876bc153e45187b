using Cluster.Pile.Caching;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Caching;

/// <summary>Many entries of all ages against the time that each was given.</summary>
public sealed class CacheExpiryPropertyTests(ITestOutputHelper output)
{
    private const int SamplesPerStop = 20_000;
    private const int Stops = 60;

    private static readonly double AgeMaxSeconds = TimeSpan.FromDays(30).TotalSeconds;
    private static readonly TimeSpan Tolerance = TimeSpan.FromSeconds(0.4);

    [Fact]
    [Trait("Case", "pile-22")]
    public void Entries_OfAllAges_AreThereUntilTheirTime_AndNeverAfter() => Check(100_000, 256 * Piles.MiB, seed: 22);

    [Fact]
    [Trait("Case", "pile-22")]
    [Trait("Category", "Soak")]
    public void TenMillionEntries_OfAllAges_AreThereUntilTheirTime_AndNeverAfter() =>
        Check(10_000_000, 2048 * Piles.MiB, seed: 2222);

    private void Check(int count, long budgetBytes, int seed)
    {
        using var caches = new Caches(budgetBytes);
        var table = caches.Create<int, byte[]>();
        var random = new Random(seed);
        var ends = new DateTimeOffset[count];
        var value = new byte[8];
        for (var i = 0; i < count; i++)
        {
            var age = TimeSpan.FromSeconds(Math.Pow(AgeMaxSeconds, random.NextDouble()));
            ends[i] = caches.Clock.GetUtcNow() + age;
            BitConverter.TryWriteBytes(value, (long)i);
            var isByAge = random.Next(2) == 0;
            var result = table.Put(
                i, value.AsSpan(), maxAge: isByAge ? age : null, absoluteExpiration: isByAge ? null : ends[i]);
            Assert.NotEqual(PutResult.Refused, result);
            if (i % (count / 100) == 0)
                caches.Clock.Advance(TimeSpan.FromSeconds(0.01));
        }

        var (live, gone) = (0, 0);
        for (var stop = 1; stop <= Stops; stop++)
        {
            var until = TimeSpan.FromSeconds(Math.Pow(AgeMaxSeconds, (double)stop / Stops));
            if (until > caches.Clock.Elapsed)
                caches.Clock.Advance(until - caches.Clock.Elapsed);
            var now = caches.Clock.GetUtcNow();
            for (var sample = 0; sample < SamplesPerStop; sample++)
            {
                var key = random.Next(count);
                var isThere = table.TryRead(key, value, out _);
                Assert.False(isThere && ends[key] <= now, $"seed {seed}: {key} lives after {ends[key]:O} at {now:O}");
                Assert.True(isThere || ends[key] - Tolerance <= now, $"seed {seed}: {key} is gone at {now:O} before");
                Assert.True(!isThere || BitConverter.ToInt64(value) == key);
                (live, gone) = (live + (isThere ? 1 : 0), gone + (isThere ? 0 : 1));
            }
        }

        output.WriteLine($"{count:N0} entries, seed {seed}: {live:N0} reads found one, {gone:N0} found it gone.");
        Assert.True(live > SamplesPerStop && gone > SamplesPerStop);
    }
}
