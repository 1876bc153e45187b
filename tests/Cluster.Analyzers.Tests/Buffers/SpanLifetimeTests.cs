namespace Cluster.Analyzers.Tests.Buffers;

/// <summary>Spans that are certainly used after their owner has ended are reported, and no others.</summary>
public sealed class SpanLifetimeTests
{
    [Theory]
    [InlineData("void M() { var a = new SafeArray<int>(5); var s = a.AsSpan(); a.Dispose(); {|CLU0007:s|}.Fill(1); }")]
    [InlineData("int M(SafeArray<int> a) { var s = a[1..2]; a.Dispose(); return {|CLU0007:s|}[0]; }")]
    [InlineData("int M(HugeArray<int> a) { ReadOnlySpan<int> s = a.AsSpan(0, 5).Slice(1); s.ToArray(); a.Dispose(); if (s.Length > 0) return {|CLU0007:s|}[0]; return 1; }")]
    [InlineData("void M(PileBuffer<int> a) { Span<int> s = a.AsSpan()[1..]; a.Free(); foreach (var i in {|CLU0007:s|}) { } }")]
    [InlineData("void M(Utf8FixedString a) { var s = a.AsSpan(); a.Free(); {|CLU0007:s|}.ToArray(); }")]
    [InlineData("int M(LocalPile p, PilePointer o) { var v = p.OpenView(o); var s = v.Span; v.Dispose(); return {|CLU0007:s|}[0]; }")]
    [InlineData("int M() { Span<int> s; using (var a = new SafeArray<int>(5)) { s = a.AsSpan(); s[0] = 1; } return {|CLU0007:s|}[0]; }")]
    [InlineData("int M() { Span<int> s = default; { using var a = new SafeArray<int>(5); s = a.AsSpan(); } return {|CLU0007:s|}[0]; }")]
    [InlineData("Span<int> M() { using var a = new SafeArray<int>(5); return {|CLU0007:a.AsSpan()|}; }")]
    [InlineData("ReadOnlySpan<int> M() { using (var a = new SafeArray<int>(5)) { return {|CLU0007:a.AsSpan()|}; } }")]
    [InlineData("ReadOnlySpan<byte> M(LocalPile p, PilePointer o) { using var v = p.OpenView(o); return {|CLU0007:v.Span[1..]|}; }")]
    [InlineData("Span<int> M() { using var a = new SafeArray<int>(5); var s = a.AsSpan(); s.Fill(1); return {|CLU0007:s|}; }")]
    public async Task Span_UsedAfterTheEnd_IsReported(string method) =>
        await SourceCheck.CheckAsync($"class C {{ {method} }}");

    [Theory]
    [InlineData("void M() { using var a = new SafeArray<int>(5); var s = a.AsSpan(); s.Fill(1); }")]
    [InlineData("void M() { var a = new SafeArray<int>(5); var s = a.AsSpan(); s.Fill(1); a.Dispose(); }")]
    [InlineData("int M() { var a = new SafeArray<int>(5); var s = a.AsSpan(); a.Dispose(); return s.Length; }")]
    [InlineData("void M(bool b) { var a = new SafeArray<int>(5); var s = a.AsSpan(); if (b) a.Dispose(); else s.Fill(1); }")]
    [InlineData("void M() { var a = new SafeArray<int>(5); var s = a.AsSpan(); a.Dispose(); s = new int[5]; s.Fill(1); }")]
    [InlineData("void M() { var a = new SafeArray<int>(5); var s = a.AsSpan(); a = new SafeArray<int>(5); a.Dispose(); s.Fill(1); }")]
    [InlineData("void M(SafeArray<int> a) { a.Retain(); var s = a.AsSpan(); try { a.Dispose(); } catch (PileBusyException) { } s.Fill(1); a.Release(); }")]
    [InlineData("void M(SafeArray<int> a) { a.Retain(); var s = a.AsSpan(); a.Dispose(); s.Fill(1); a.Release(); }")]
    [InlineData("void M(SafeArray<int> a, SafeArray<int> b) { var s = a.AsSpan(); b.Dispose(); s.Fill(1); }")]
    [InlineData("Span<int> M(SafeArray<int> a) => a.AsSpan();")]
    [InlineData("int[] M() { using var a = new SafeArray<int>(5); return a.AsSpan().ToArray(); }")]
    [InlineData("int M() { using var a = new SafeArray<int>(5); return a.AsSpan()[0]; }")]
    [InlineData("int M() { Span<int> s = default; using (var a = new SafeArray<int>(5)) { s = a.AsSpan(); s = default; } return s.Length; }")]
    [InlineData("int M() { Span<int> s; using (var a = new SafeArray<int>(5)) { s = a.AsSpan(); s[0] = 1; } s = new int[1]; return s[0]; }")]
    [InlineData("int M(int[] x) { using var a = new SafeArray<int>(5); Span<int> s = a.AsSpan(); return F(s); static int F(Span<int> t) => t[0]; }")]
    [InlineData("Memory<int> M() { var a = new SafeArray<int>(5); var m = a.AsMemory(); a.Dispose(); return m; }")]
    public async Task Span_UsedInTime_IsNotReported(string method) =>
        await SourceCheck.CheckAsync($"class C {{ {method} }}");
}
