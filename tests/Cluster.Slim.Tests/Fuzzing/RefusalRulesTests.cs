namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Every refusal has an identity, and the one in an exception is the one found in the source.</summary>
[Trait("Case", "slim-M")]
public sealed class RefusalRulesTests
{
    [Fact]
    public void EveryException_IsMadeByARule_ExceptTheCatchAll() =>
        Assert.Equal(["SlimEngine.cs: Failed"], RefusalRules.ExceptionsWithoutRule());

    [Fact]
    public void Exceptions_OfEachKind_KnowTheRuleInTheSource()
    {
        SlimSerializer slim = new();
        CheckRule("ReadHeader", "MessageHeader.cs", "Read", () => slim.Deserialize<int>([0, 0]));
        CheckRule("truncated", "SlimReader.cs", "Take", () => slim.Deserialize<int>([0xB1, 0]));
        CheckRule("limit", "SerializerContext.cs", "CheckMessageBytes", () => new SlimSerializer(
            new SlimOptions { Limits = { MaxMessageBytes = 20 } }).Deserialize<int>(new byte[21]));
        CheckRule("refused", "SerializerFactory.cs", "ThrowIfNotCarried", () => slim.Serialize<object>(new MemoryStream()));
        CheckRule("not allowed", "AllowSet.cs", "Admit", () => slim.Serialize<object>(this));
    }

    [Fact]
    public void RulesOnTheList_Exist() => Assert.Subset(
        RefusalRules.All.Keys.Select(RefusalRules.NameOf).ToHashSet(), RefusalRules.Unbroken.ToHashSet());

    private static void CheckRule(string what, string file, string member, Func<object> refused)
    {
        var error = Assert.ThrowsAny<SlimException>(refused);
        Assert.True(error.Site is not null, what);
        Assert.StartsWith($"{file} {member} ", RefusalRules.NameOf(error.Site.Value), StringComparison.Ordinal);
    }
}
