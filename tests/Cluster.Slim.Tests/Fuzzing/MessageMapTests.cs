namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Maps of messages find each kind of place that mutations aim at. A map without places would leave the
/// mutations to chance, and no other test would notice.</summary>
public sealed class MessageMapTests
{
    [Fact]
    public void Maps_OfTheCorpus_FindEveryKindOfPlace()
    {
        var cases = new FuzzCorpus(compiles: false).Cases;
        Assert.Contains(cases, source => source.Map.Counts.Length > 0);
        Assert.Contains(cases, source => source.Map.ObjectTags.Length > 0);
        Assert.Contains(cases, source => source.Map.TypeReferences.Length > 0);
        Assert.Contains(cases, source => source.Map.Texts.Length > 0);
        Assert.Contains(cases, source => source.Map.Descriptions.Length > 0);
    }
}
