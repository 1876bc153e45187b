using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Versions;

/// <summary>Writers that use the names of before the renames, and the judgement whether what another build describes
/// can be read.</summary>
public sealed class OldNamesTests
{
    private const string Before = "namespace Old { public class Item { public int Count; public Part Part; }"
        + " public class Part { public string Text; } }";

    private const string After = "namespace New { public class Item { public long Count; public Part Part; }"
        + " public class Part { public string Text; } }";

    private readonly TypeVersion _before = new("Shop", Before);
    private readonly TypeVersion _after = new("Shop", After);

    [Fact]
    public void RenamedTypes_WrittenByTheirOldNames_AreReadByTheBuildOfBefore()
    {
        var item = _after.New(
            "New.Item", ("Count", 5L), ("Part", _after.New("New.Part", ("Text", "t"))));
        var today = Write(Options(), item);
        Assert.Throws<SlimTypeNotAllowedException>(
            () => TypeVersion.Read(new SlimOptions(), today, _before["Old.Item"]));
        var options = Options();
        options.WriteOldNames = true;
        var old = Write(options, item);
        var back = TypeVersion.Read(new SlimOptions(), old, _before["Old.Item"])!;
        Assert.Equal(5, TypeVersion.Get(back, "Count"));
        Assert.Equal("t", TypeVersion.Get(TypeVersion.Get(back, "Part")!, "Text"));
        Assert.Equal(5L, TypeVersion.Get(TypeVersion.Read(Options(), old, _after["New.Item"])!, "Count"));
    }

    [Fact]
    public void Obstacle_IsFoundByDescriptionAlone()
    {
        var clash = new TypeVersion("Shop", Before.Replace("string Text", "int Text", StringComparison.Ordinal));
        SlimSerializer slim = new(new SlimOptions().Allow(_before["Old.Item"]));
        var same = SlimLayouts.DescriptionOf(slim, _before["Old.Item"]);
        Assert.Null(SlimLayouts.FindObstacle(slim, _before["Old.Item"], same));
        SlimSerializer other = new(new SlimOptions().Allow(clash["Old.Item"]));
        var obstacle = SlimLayouts.FindObstacle(other, clash["Old.Item"], same)?.Message;
        Assert.Contains("Text was written as System.String", obstacle, StringComparison.Ordinal);
        var strange = SlimLayouts.FindObstacle(slim, _before["Old.Part"], same)?.Message;
        Assert.Contains("Old.Part", strange, StringComparison.Ordinal);
        Assert.NotNull(SlimLayouts.FindObstacle(slim, _before["Old.Item"], [1, 2, 3]));
        Assert.Null(SlimLayouts.FindObstacle(slim, typeof(int), []));
        Assert.True(SlimLayouts.IsFixed(typeof(int)));
        Assert.False(SlimLayouts.IsFixed(_before["Old.Item"]));
    }

    [Fact]
    public void ClosedList_HasWhatWasAllowedAndReached_AndNothingElse()
    {
        var listed =
            SlimLayouts.ClosedListOf(new SlimSerializer(new SlimOptions().Allow(_before["Old.Item"])));
        Assert.Contains(_before["Old.Part"], listed);
        Assert.Contains(typeof(int), listed);
        Assert.DoesNotContain(typeof(OldNamesTests), listed);
        Assert.Throws<InvalidOperationException>(
            () => SlimLayouts.ClosedListOf(new SlimSerializer(new SlimOptions { Profile = SlimProfile.InProcess })));
    }

    private SlimOptions Options() => new SlimOptions()
        .Alias("Old.Item", _after["New.Item"]).Alias("Old.Part", _after["New.Part"]);

    private static byte[] Write(SlimOptions options, object root)
    {
        ArrayBufferWriter<byte> output = new();
        new SlimSerializer(options.Allow(root.GetType())).SerializeRoots(output, root);
        return output.WrittenSpan.ToArray();
    }
}
