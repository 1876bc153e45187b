using Cluster.Contracts;
using Cluster.Nodes;
using Shop.Drive.Front;

namespace Shop.Drive.Tests.Front;

public sealed class EventRibbonTests
{
    [Theory]
    [InlineData(1_234L, "341 partitions lost with n2, about 1,234 entries")]
    [InlineData(null, "341 partitions lost with n2, entries unknown")]
    public void Describe_LostPartitions_SaysHowMuch(long? entries, string sentence)
    {
        var happened = new ClusterEvent(
            ClusterEventKind.PartitionsLost, DateTimeOffset.UnixEpoch, 7, NodeId.NewIncarnation("n2"), 341)
        {
            EntriesLost = entries,
        };

        Assert.Equal(sentence, EventRibbon.Describe(happened));
    }

    [Fact]
    public void Describe_EveryKind_IsASentenceOfItsOwn()
    {
        var kinds = Enum.GetValues<ClusterEventKind>();
        var sentences = kinds.Select(kind => EventRibbon.Describe(
            new ClusterEvent(kind, DateTimeOffset.UnixEpoch, 1, null, 3)));

        Assert.Equal(kinds.Length, sentences.Distinct().Count());
        Assert.All(sentences, sentence => Assert.NotEmpty(sentence));
    }
}
