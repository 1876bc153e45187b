namespace Cluster.Analyzers.CodeFixes.Tests;

/// <summary>Clocks and generators of an operation become those of its context where both mean the same.</summary>
public sealed class ContextFixTests
{
    [Theory]
    [InlineData("DateTime.UtcNow", "now.UtcNow.UtcDateTime")]
    [InlineData("DateTimeOffset.UtcNow", "now.UtcNow")]
    [InlineData("new Random()", "now.CreateRandom()")]
    [InlineData("DateTime.UtcNow.AddDays(1)", "now.UtcNow.UtcDateTime.AddDays(1)")]
    [InlineData("DateTime.Now", "DateTime.Now")]
    [InlineData("Guid.NewGuid()", "Guid.NewGuid()")]
    [InlineData("Random.Shared", "Random.Shared")]
    public async Task Source_InApply_BecomesTheContexts(string source, string expected)
    {
        const string Operation =
            "class C : IStateOperation<object, bool> {{ public bool Apply(ref object? state, in OperationContext now) "
            + "{{ state = {0}; return true; }} }}";
        var changed = await FixCheck.FixAsync(
            new ContextFix(), string.Format(CultureInfo.InvariantCulture, Operation, source));
        Assert.Equal([string.Format(CultureInfo.InvariantCulture, Operation, expected)], changed);
    }
}
