namespace Cluster.Glue.Tests.Semantics;

/// <summary>A suite that leaves out a binding would not notice what is different there.</summary>
[Trait("Case", "glue-76")]
public sealed class SemanticCoverageTests
{
    [Fact]
    public void EverySuite_RunsOverEveryBinding()
    {
        var all = typeof(SemanticTests).Assembly.GetTypes();
        var bindings = all
            .Where(type => type.IsSubclassOf(typeof(SemanticTests)) && !type.IsAbstract)
            .ToLookup(type => type.BaseType!, BindingOf);
        var left = all
            .Where(type => type.IsSubclassOf(typeof(SemanticTests)) && type.IsAbstract)
            .SelectMany(suite => SemanticBinding.Names.Except(bindings[suite]).Select(name => $"{suite.Name}: {name}"));
        Assert.Empty(left);
    }

    private static string BindingOf(Type type)
    {
        var binding = typeof(SemanticTests).GetProperty(
            "Binding", BindingFlags.Instance | BindingFlags.NonPublic)!;
        return ((SemanticBinding)binding.GetValue(Activator.CreateInstance(type))!).Name;
    }
}
