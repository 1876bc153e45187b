namespace Cluster.Slim.Tests.Security;

/// <summary>
/// Seeded mutations of real messages: flips, splices, inflated bytes. Each must be read or refused by the one
/// exception
/// family, within the memory budget; the seed is printed on failure.
/// </summary>
[Trait("Case", "slim-M")]
public sealed class MutationTests
{
    private static readonly SlimLimits Limits = new() { GraphBytesMax = 1024 * 1024, MessageBytesMax = 1024 * 1024 };

    [Theory]
    [InlineData(SlimSchema.Full, 1)]
    [InlineData(SlimSchema.Known, 2)]
    public void MutatedMessages_AreReadOrRefused(SlimSchema schema, int seed) => CheckMutations(schema, seed, 20_000);

    [Fact]
    [Trait("Category", "Soak")]
    public void MutatedMessages_ManyTimes_AreReadOrRefused() => CheckMutations(SlimSchema.Known, 77, 1_000_000);

    private static void CheckMutations(SlimSchema schema, int seed, int count)
    {
        SlimSerializer slim = new(new SlimOptions { Schema = schema, Limits = Limits });
        byte[] message = slim.Serialize(Corpus.Graph());
        slim.Deserialize<Corpus.Root>(message);
        int read = 0;
        for (int i = 0; i < count; i++)
        {
            Random random = new(seed + i);
            byte[] mutated = Mutate(message, random);
            long before = GC.GetAllocatedBytesForCurrentThread();
            Exception? error = Record.Exception(() => slim.Deserialize<Corpus.Root>(mutated));
            long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            Assert.True(error is null or SlimException, $"seed {seed + i}: {error}");
            Assert.False(IsInternalBug(error), $"seed {seed + i}: {error}");
            Assert.True(allocated < 8 * 1024 * 1024, $"seed {seed + i}: {allocated} bytes");
            read += error is null ? 1 : 0;
        }

        Assert.InRange(read, 1, count - 1);
    }

    // The catch-all around reading must never be what refuses a message: a check is missing where it does.
    private static bool IsInternalBug(Exception? error) =>
        error is SlimMalformedException && error.Message.StartsWith("Reading failed", StringComparison.Ordinal);

    private static byte[] Mutate(byte[] message, Random random)
    {
        byte[] copy = [.. message];
        int edits = random.Next(1, 4);
        for (int i = 0; i < edits; i++)
        {
            int position = random.Next(2, copy.Length);
            switch (random.Next(5))
            {
                case 0:
                    copy[position] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    copy[position] = (byte)random.Next(256);
                    break;
                case 2:
                    copy[position] = (byte)random.Next(8);
                    break;
                case 3:
                    int length = Math.Min(random.Next(1, 16), copy.Length - position);
                    message.AsSpan(random.Next(message.Length - length), length).CopyTo(copy.AsSpan(position));
                    break;
                default:
                    int end = Math.Min(copy.Length, position + random.Next(4));
                    copy = [.. copy[..position], .. copy[end..], 0xFF, 0x7F];
                    break;
            }
        }

        return copy;
    }
}
