using Cluster.Analyzers.Tests;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Cluster.Analyzers.CodeFixes.Tests;

/// <summary>Each fix belongs to a diagnostic that exists, and editors can find it.</summary>
public sealed class FixTests
{
    [Fact]
    public void EachFix_IsExported_ForADiagnosticThatExists()
    {
        var fixes = typeof(AwaitFix).Assembly.GetTypes()
            .Where(type => type.IsAssignableTo(typeof(CodeFixProvider)))
            .ToArray();
        Assert.Equal(3, fixes.Length);
        var ids = SourceCheck.Analyzers.SelectMany(one => one.SupportedDiagnostics).Select(one => one.Id).ToHashSet();
        foreach (var fix in fixes)
        {
            Assert.NotNull(fix.GetCustomAttribute<ExportCodeFixProviderAttribute>());
            Assert.Subset(ids, ((CodeFixProvider)Activator.CreateInstance(fix)!).FixableDiagnosticIds.ToHashSet());
        }
    }
}
