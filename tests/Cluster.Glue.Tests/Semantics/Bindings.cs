namespace Cluster.Glue.Tests.Semantics;

public sealed class ShapesOverLinkTests() : ShapeSemanticTests(SemanticBinding.Link());

public sealed class ShapesOverUnaryTests() : ShapeSemanticTests(SemanticBinding.Unary());

public sealed class ShapesInProcessTests() : ShapeSemanticTests(SemanticBinding.InProcess());

public sealed class ShapesInProcessSerializedTests() : ShapeSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class ShapesOverUnixSocketTests() : ShapeSemanticTests(SemanticBinding.UnixSocket());

public sealed class ShapesOverMutualTlsTests() : ShapeSemanticTests(SemanticBinding.MutualTls());

public sealed class FailuresOverLinkTests() : FailureSemanticTests(SemanticBinding.Link());

public sealed class FailuresOverUnaryTests() : FailureSemanticTests(SemanticBinding.Unary());

public sealed class FailuresInProcessTests() : FailureSemanticTests(SemanticBinding.InProcess());

public sealed class FailuresInProcessSerializedTests() : FailureSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class FailuresOverUnixSocketTests() : FailureSemanticTests(SemanticBinding.UnixSocket());

public sealed class FailuresOverMutualTlsTests() : FailureSemanticTests(SemanticBinding.MutualTls());

public sealed class TimingsOverLinkTests() : TimingSemanticTests(SemanticBinding.Link());

public sealed class TimingsOverUnaryTests() : TimingSemanticTests(SemanticBinding.Unary());

public sealed class TimingsInProcessTests() : TimingSemanticTests(SemanticBinding.InProcess());

public sealed class TimingsInProcessSerializedTests() : TimingSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class TimingsOverUnixSocketTests() : TimingSemanticTests(SemanticBinding.UnixSocket());

public sealed class TimingsOverMutualTlsTests() : TimingSemanticTests(SemanticBinding.MutualTls());
