using Cluster.Slim.Hosting;
using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Hosting;

/// <summary>Descriptions beside messages that have fingerprints alone. <see cref="VersionPair"/> reads every difference
/// between versions that way, too.</summary>
public sealed class KnownLayoutsTests
{
    private const string Old = "public class Order { public int Id; public Line First; } public class Line { public int Count; }";
    private const string New =
        "public class Order { public string Text; public Line First; public int Id; } public class Line { public long Count; }";

    [Fact]
    public void Layout_IsWrittenBeforeItsFirstMessage_OnceForEachType()
    {
        var version = new TypeVersion("Shop", Old);
        var layouts = new KnownLayouts();
        var slim = new SlimSerializer(Options(version, layouts));
        Assert.Empty(layouts.Fingerprints);
        slim.Serialize<object>((object)version.Make("Order"));
        Assert.Equal([SlimLayouts.FingerprintOf(slim, version["Order"])], layouts.Fingerprints);
        slim.Serialize<object>((object)version.Make("Line"));
        Assert.Equal(2, layouts.Fingerprints.Count);
        slim.Serialize<object>("text has a code");
        Assert.Equal(2, layouts.Fingerprints.Count);
    }

    [Fact]
    public void Message_IsReadAsSoonAsItsLayoutIsKnown()
    {
        var (old, now) = (new TypeVersion("Shop", Old), new TypeVersion("Shop", New));
        var (written, read) = (new KnownLayouts(), new KnownLayouts());
        var writer = new SlimSerializer(Options(old, written));
        dynamic order = old.Make("Order");
        (order.Id, order.First) = (7, old.Make("Line"));
        order.First.Count = 3;
        var message = writer.Serialize<object>((object)order);
        var reader = new SlimSerializer(Options(now, read));
        var refusal = Assert.Throws<SlimLayoutException>(() => reader.Deserialize<object>(message));
        var fingerprint = SlimLayouts.FingerprintOf(writer, old["Order"]);
        Assert.Equal(fingerprint, refusal.UnknownFingerprint);
        read.Written(fingerprint, written.Find(fingerprint)!);
        dynamic back = reader.Deserialize<object>(message);
        Assert.Equal((7, 3L, null), ((int)back.Id, (long)back.First.Count, (string?)back.Text));
    }

    [Fact]
    public void LayoutThatDoesNotFit_IsRefusedWithItsFingerprint()
    {
        var old = new TypeVersion("Shop", "public class Order { public int Id; }");
        var now = new TypeVersion("Shop", "public class Order { public string Id; }");
        var layouts = new KnownLayouts();
        var writer = new SlimSerializer(Options(old, layouts));
        var message = writer.Serialize<object>((object)old.Make("Order"));
        var refusal = Assert.Throws<SlimLayoutException>(
            () => new SlimSerializer(Options(now, layouts)).Deserialize<object>(message));
        Assert.Equal(SlimLayouts.FingerprintOf(writer, old["Order"]), refusal.WrittenFingerprint);
        Assert.Null(refusal.UnknownFingerprint);
        Assert.Contains("Order", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Layout_OfATypeThatIsNotOnTheList_IsRefusedByName()
    {
        var version = new TypeVersion("Shop", Old);
        var layouts = new KnownLayouts();
        var message = new SlimSerializer(Options(version, layouts)).Serialize<object>((object)version.Make("Order"));
        var reader = new SlimSerializer(new SlimOptions().UseKnownLayouts(layouts));
        var refusal = Assert.Throws<SlimTypeNotAllowedException>(() => reader.Deserialize<object>(message));
        Assert.Contains("Order", refusal.TypeName, StringComparison.Ordinal);
    }

    [Fact]
    public void NameOf_Description_IsThatOfItsType_AlsoWithoutTheType()
    {
        var slim = new SlimSerializer();
        var description = SlimLayouts.DescriptionOf(
            new SlimSerializer(new SlimOptions().Allow<KnownLayoutsTests>()), typeof(Part));
        Assert.Contains(nameof(Part), SlimLayouts.NameOf(slim, description), StringComparison.Ordinal);
        for (var length = 0; length < description.Length; length++)
            Assert.ThrowsAny<SlimException>(() => SlimLayouts.NameOf(slim, description.AsSpan(0, length)));
    }

    private static SlimOptions Options(TypeVersion version, KnownLayouts layouts)
    {
        var options = new SlimOptions { Schema = SlimSchema.Known };
        foreach (var type in version.All)
            options.Allow(type);
        return options.UseKnownLayouts(layouts);
    }

    private sealed class Part
    {
        public string? Name { get; set; }

        public Part? Next { get; set; }
    }
}
