using System.Reflection;

namespace Cluster.Glue.Tests.Semantics;

/// <summary>A suite that leaves out a binding would not notice what is different there.</summary>
[Trait("Case", "glue-76")]
public sealed class SemanticCoverageTests
{
    [Fact]
    public void EverySuite_RunsOverEveryBinding()
    {
        Type[] all = typeof(SemanticTests).Assembly.GetTypes();
        ILookup<Type, string> bindings = all
            .Where(type => type.IsSubclassOf(typeof(SemanticTests)) && !type.IsAbstract)
            .ToLookup(type => type.BaseType!, BindingOf);
        IEnumerable<string> left = all
            .Where(type => type.IsSubclassOf(typeof(SemanticTests)) && type.IsAbstract)
            .SelectMany(suite => SemanticBinding.Names.Except(bindings[suite]).Select(name => $"{suite.Name}: {name}"));
        Assert.Empty(left);
    }

    private static string BindingOf(Type type)
    {
        PropertyInfo binding = typeof(SemanticTests).GetProperty(
            "Binding", BindingFlags.Instance | BindingFlags.NonPublic)!;
        return ((SemanticBinding)binding.GetValue(Activator.CreateInstance(type))!).Name;
    }
}
