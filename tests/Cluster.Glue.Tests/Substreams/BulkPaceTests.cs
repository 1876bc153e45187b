using Cluster.Glue.Substreams;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Substreams;

public class BulkPaceTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly ManualTimeProvider _time = new();
    private readonly BulkPace _pace;

    public BulkPaceTests() => _pace = new BulkPace(_time);

    [Fact]
    public void WithoutAnythingSmall_NothingRests()
    {
        for (var i = 0; i < 100 * BulkPace.PiecesMax; i++)
            Assert.True(_pace.WaitAsync().IsCompletedSuccessfully);
    }

    [Fact]
    public async Task BesideSomethingSmall_RestsAfterSoManyPieces_AndSoManyTimes()
    {
        _pace.NoteSmall();
        for (var pause = 0; pause < BulkPace.PausesMax; pause++)
        {
            for (var piece = 1; piece < BulkPace.PiecesMax; piece++)
                Assert.True(_pace.WaitAsync().IsCompletedSuccessfully);
            var rest = _pace.WaitAsync();
            Assert.False(rest.IsCompleted);
            _time.Advance(BulkPace.Pause);
            await rest.WaitAsync(Bound);
        }

        WithoutAnythingSmall_NothingRests();
    }
}
